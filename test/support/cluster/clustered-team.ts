import { expect } from "vitest";
import { startServer, type TestServer } from "../postgres/server.ts";
import { spawnSupport, type Spawned } from "../process/spawned.ts";
import { answersIn, keysIn, TEAM_FILES } from "../team/team-at-work.ts";
import { eventually } from "../team/running-project.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { findRepeated, keepLedger, readBegunSteps, readLedger } from "./ledger.ts";
import { makeMachine, type Machine } from "./machine.ts";
import { makeNetwork, type TestNetwork } from "./network.ts";

/** A team on three machines, with its server on a fourth, and a person on each machine who sends without end. */
export interface ClusteredTeam extends AsyncDisposable {
  readonly network: TestNetwork;
  readonly server: TestServer;
  readonly schema: string;
  readonly machines: readonly Machine[];
  /** Keys of the messages that were accepted so far. */
  accepted(): string[];
  /** Whether every node has said lately that it is there. */
  areAllThere(): Promise<boolean>;
  /** Ends the sending, and waits until all is answered. */
  drain(): Promise<void>;
  /** Every accepted message is answered once, no run was on two nodes, no step was stored twice. */
  check(options: { readonly isRepeatAllowed: boolean }): Promise<string>;
}

const NAMES = ["one", "two", "three"];
const SCHEMA = "team";

export async function startClusteredTeam({ stepMs = 20, everyMs = 100 } = {}): Promise<ClusteredTeam> {
  await using made = new AsyncDisposableStack();
  const folder = made.use(temporaryFolder());
  const network = made.use(makeNetwork(["server", ...NAMES]));
  const address = network.addressOf("server");
  const server = made.use(await startServer({ on: network.on("server"), address }));
  const log = folder.in("steps.log");
  const url = server.urlOf(SCHEMA).replace(/\?.*/, "");
  const machines = NAMES.map((name) =>
    made.use(
      makeMachine({
        name,
        folder: folder.path,
        on: network.on(name),
        program: ["node-process.ts", log],
        files: { ...TEAM_FILES, "moniro.yaml": `store: { url: $DATABASE_URL, schema: ${SCHEMA} }\n` },
        env: { DATABASE_URL: url, STEP_MS: String(stepMs) },
      }),
    ),
  );
  for (const machine of machines) await machine.start();
  expect(await machines[0]?.run(["start", "team"])).toMatchObject({ exit: 0 });
  await keepLedger(server, SCHEMA);
  const people = machines.map(({ name, home, project }, index): Spawned => {
    const args = [home, project, String((index + 1) * 1_000_000), String(everyMs)];
    return made.use(spawnSupport("load-process.ts", args, { on: network.on(name) }));
  });
  const accepted = (): string[] => people.flatMap(({ lines }) => lines.map((line) => line.replace("acked ", "")));
  const count = async (sql: string): Promise<number> => Number((await server.query(sql))[0]?.["count"]);
  const parts = made.move();
  return {
    network,
    server,
    schema: SCHEMA,
    machines,
    accepted,
    areAllThere: async () =>
      (await count(
        `SELECT count(*) FROM ${SCHEMA}.node WHERE beat_at > extract(epoch FROM clock_timestamp()) * 1000 - 4000`,
      )) === NAMES.length,
    async drain() {
      for (const person of people) person.send("stop");
      await Promise.all(people.map(({ ended }) => ended));
      const open = `SELECT (SELECT count(*) FROM ${SCHEMA}.delivery WHERE state < 2) + (SELECT count(*) FROM ${SCHEMA}.run WHERE state <> 'ended') AS count`;
      await eventually("all is answered", async () => (await count(open)) === 0, 120_000);
    },
    async check({ isRepeatAllowed }) {
      const dead = await server.query(`SELECT reason FROM ${SCHEMA}.delivery WHERE state = 3`);
      expect(dead, "dead letters").toEqual([]);
      const messages = await server.query(`SELECT sender, kind, run, body FROM ${SCHEMA}.message ORDER BY seq`);
      const bodies = (isUser: boolean) =>
        messages.filter(({ sender }) => (sender === "user") === isUser).map(({ body }) => String(body));
      const asked = bodies(true).flatMap(keysIn);
      expect(new Set(asked).size, "nothing is accepted twice").toBe(asked.length);
      const there = new Set(asked);
      expect(
        accepted().filter((key) => !there.has(key)),
        "accepted and lost",
      ).toEqual([]);
      const answered = bodies(false).flatMap(answersIn);
      const unanswered = asked.filter((key) => !answered.includes(key));
      const said = messages.filter(({ body }) => unanswered.some((key) => String(body).includes(key)));
      expect(said, "what was said about messages without an answer").toEqual([]);
      expect(answered.toSorted(), "answered once each").toEqual(asked.toSorted());
      const { claims, steps, ...problems } = await readLedger(server, SCHEMA);
      expect(problems).toEqual({ overlapping: [], foreign: [], repeated: [] });
      const begun = readBegunSteps(log);
      const again = await findRepeated(server, SCHEMA, begun);
      if (!isRepeatAllowed) expect(again, "finished steps that were repeated").toEqual([]);
      const cut = begun.length - new Set(begun.map(({ run, step }) => `${run} ${step}`)).size;
      return `${asked.length} messages accepted, each answered once; ${claims} claims of runs, ${steps} steps stored once, ${cut} begun again because they were cut off, ${again.length} begun by a node that had lost its run`;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
