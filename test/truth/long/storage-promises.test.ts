import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { runInstalled } from "../../support/daemon/installed-command.ts";
import { eventually } from "../../support/team/running-project.ts";

const failing = (name: string): string =>
  `name: ${name}\nbackend: mock\nmodel: fails.yaml\nprompt: { system: Answer. }\n`;

const FILES = {
  ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Answer. }\n",
  ".agents/bob.yaml": failing("bob"),
  ".agents/eve.yaml": failing("eve"),
  "fails.yaml": "- { repeat: true, steps: [{ fail: permanent, times: 100000 }] }\n",
  ".workflows/talk.yaml":
    'name: talk\nagents: { helper: { backend: mock, prompt: { system: Help. } } }\nkickoff: "@helper hello"\n',
  ".workflows/stuck.yaml": 'name: stuck\nagents: { bob: { ref: bob } }\nkickoff: "@bob hello"\n',
  "moniro.yaml": "retention: { transcripts: 1ms, events: 1ms, workspaces: 1ms }\n",
};

/** In order: the last ones take the database away. */
describe("what is stored", () => {
  let daemon: CommandedDaemon;
  beforeAll(async () => {
    daemon = await startCommandedDaemon({ files: FILES });
    const send = (to: string, message: string) => daemon.client.call("send-message", { to, message });
    await Promise.all([
      daemon.run(["run", "talk"]),
      daemon.run(["run", "stuck"]),
      ...Array.from({ length: 4 }, () => send("bob", "work")),
      ...Array.from({ length: 2 }, () => send("eve", "work")),
    ]);
    for (const text of ["one", "two"]) await daemon.run(["send", "alice", text, "--wait"]);
    await eventually("7 dead letters", async () => (await dead([])).total === 7);
  });
  afterAll(() => daemon[Symbol.asyncDispose]());

  const dead = async (args: readonly string[]) =>
    (await daemon.json(["dead", "list", ...args])) as { total: number; deliveries: { id: string; agent: string }[] };
  const runs = async () => ((await daemon.json(["runs", "list"])) as { runs: { id: string; agent: string }[] }).runs;
  const said = async () => {
    const { messages } = (await daemon.json(["peek", "alice"])) as { messages: { from: string; content: string }[] };
    return messages.filter(({ from }) => from === "user").map(({ content }) => content);
  };
  const rows = (sql: string): number => {
    using db = new DatabaseSync(join(daemon.project, ".workspace/agent-worker.db"), { readOnly: true });
    return Number(db.prepare(sql).get()?.["n"]);
  };
  const TRANSCRIPTS = "SELECT count(*) AS n FROM step WHERE transcript <> ''";

  it("the list of dead letters says how many there are, and has pages [retention.dead-list]", async () => {
    const first = await daemon.run(["dead", "list", "--limit", "2"]);
    expect(first.out).toMatch(/2 of 7 dead letters\. The next ones: agent-worker dead list --before dlv_\w+/);
    const all = await dead(["--all"]);
    expect(new Set(all.deliveries.map(({ id }) => id)).size).toBe(7);
    const before = all.deliveries[2]?.id ?? "";
    expect(await dead(["--before", before])).toEqual({ total: 7, deliveries: all.deliveries.slice(3) });
    expect(await dead(["--agent", "eve", "--since", "2h"])).toMatchObject({ total: 2 });
    expect(await dead(["--since", "1ms"])).toMatchObject({ total: 0 });
  });

  it("many dead letters are retried or dropped at once, with a yes [retention.dead-many]", async () => {
    const asked = { exit: 3, err: expect.stringContaining("There are 7 dead letters") };
    expect(await daemon.run(["dead", "drop", "--all"])).toMatchObject(asked);
    expect(await daemon.run(["dead", "drop"])).toMatchObject({ exit: 2 });
    expect(await daemon.json(["dead", "drop", "--agent", "eve", "--yes"])).toEqual({ dropped: 2, refused: [] });
    // That of the closed workspace cannot be retried.
    expect(await daemon.json(["dead", "retry", "--all", "--yes"])).toMatchObject({ retried: 4, refused: [{}] });
    await eventually("they die again", async () => (await dead([])).total === 5);
  });

  it("prune --dry-run says what prune removes, and removes nothing [retention.prune] [retention.vacuum]", async () => {
    const before = rows(TRANSCRIPTS);
    const dry = (await daemon.json(["prune", "--dry-run"])) as { pruned: { events: { count: number } } };
    expect(rows(TRANSCRIPTS)).toEqual(before);
    expect(dry).toMatchObject({ pruned: { workspaces: { count: 1, messages: 2 }, deadLetters: { count: 0 } } });
    expect(dry.pruned.events.count).toBeGreaterThan(5);

    const done = (await daemon.json(["prune", "--vacuum"])) as { pruned: object; database: { freeBytes: number } };
    expect(done.pruned).toEqual(dry.pruned);
    expect(done.database.freeBytes).toBe(0);
    expect(rows("SELECT count(*) AS n FROM event")).toBe(1);
  });

  it("what is unanswered stays, direct messages stay, the last transcript stays [retention.kept]", async () => {
    const { workspaces } = (await daemon.json(["ls", "--all"])) as { workspaces: { name: string }[] };
    expect(workspaces.map(({ name }) => name)).toEqual(["stuck"]);
    expect(await dead([])).toMatchObject({ total: 5 });
    expect(await said()).toEqual(["one", "two"]);
    const [last, first] = (await runs()).filter(({ agent }) => agent === "alice");
    expect(rows(`${TRANSCRIPTS} AND run = '${last?.id}'`)).toBe(1);
    expect(rows(`${TRANSCRIPTS} AND run = '${first?.id}'`)).toBe(0);
    expect((await daemon.run(["runs", "show", first?.id ?? ""])).out).toContain("removed");
  });

  it("a client with an older Last-Event-ID is told that events are missing [retention.reset]", async () => {
    const response = await daemon.fetch("/events", { headers: { "last-event-id": "1" } });
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes("event: recorded")) break;
    }
    expect(text).toMatch(/event: reset\ndata: \{"since":1,"oldest":\d+/);
  });

  it("while the database is away nothing is accepted, and work goes on when it is back [retention.moved]", async () => {
    const folder = join(daemon.project, ".workspace");
    renameSync(folder, `${folder}-away`);
    const refused = { exit: 1, err: expect.stringContaining("agent-worker doctor --reopen") };
    expect(await daemon.run(["send", "alice", "lost?"])).toMatchObject(refused);
    renameSync(`${folder}-away`, folder);
    expect(await daemon.run(["send", "alice", "back"])).toMatchObject({ exit: 0 });
    expect(await said()).toEqual(["one", "two", "back"]);
  });

  it("a deleted log is noticed, and nothing that was accepted is lost with it [retention.log-gone]", async () => {
    rmSync(join(daemon.project, ".workspace/agent-worker.db-wal"));
    const refused = { exit: 1, err: expect.stringContaining("-wal, was deleted") };
    expect(await daemon.run(["send", "alice", "lost?"])).toMatchObject(refused);
    expect((await daemon.run(["doctor", "--reopen"])).out).toContain("goes on with the database");
    expect(await daemon.run(["send", "alice", "after"])).toMatchObject({ exit: 0 });
    expect(await said()).toEqual(["one", "two", "back", "after"]);
    expect((await daemon.run(["status"])).out).not.toContain("Problem");
  });

  it("a deleted database is said to be gone, and a person begins anew [retention.gone]", async () => {
    rmSync(join(daemon.project, ".workspace"), { recursive: true });
    const gone = "was deleted or moved away";
    expect(await daemon.run(["send", "alice", "lost?"])).toMatchObject({ exit: 1, err: expect.stringContaining(gone) });
    expect((await daemon.run(["ls"])).err).toContain(gone);
    const health = (await (await daemon.fetch("/health")).json()) as { status: string; problems: string[] };
    expect(health.status).toBe("degraded");
    expect(health.problems.join()).toContain(gone);

    const reopened = await daemon.run(["doctor", "--reopen"]);
    expect(reopened.out).toContain("begins with an empty database");
    expect(await daemon.run(["send", "alice", "anew", "--wait"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["ls"])).err).toBe("");
  });

  it("a project that was moved while it was open goes on at its new place [retention.moved-project]", async () => {
    const moved = `${daemon.project}-moved`;
    renameSync(daemon.project, moved);
    const run = (args: readonly string[]) => runInstalled(args, { cwd: moved, env: daemon.env });
    expect(await run(["send", "alice", "moved", "--wait"])).toMatchObject({ exit: 0, err: "" });
    expect((await run(["peek", "alice"])).out).toContain("anew");
    expect((await run(["status"])).out).not.toContain("Problem");
  });
});
