import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { runInstalled } from "../support/daemon/installed-command.ts";
import { eventually } from "../support/team/running-project.ts";

const FILES = {
  ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Answer. }\n",
};

describe("a database that is taken away under a running daemon", () => {
  let daemon: CommandedDaemon;
  beforeAll(async () => {
    daemon = await startCommandedDaemon({ files: FILES });
  });
  afterAll(() => daemon[Symbol.asyncDispose]());
  const folder = () => join(daemon.project, ".workspace");
  const refused = { exit: 1, err: expect.stringContaining("agent-worker doctor --reopen") };

  it("nothing is accepted while it is away, and work goes on when it is back [retention.moved]", async () => {
    expect(await daemon.run(["send", "alice", "before"])).toMatchObject({ exit: 0 });
    renameSync(folder(), `${folder()}-away`);
    expect(await daemon.run(["send", "alice", "lost?"])).toMatchObject(refused);
    renameSync(`${folder()}-away`, folder());
    expect(await daemon.run(["send", "alice", "after"])).toMatchObject({ exit: 0 });
    const { messages } = (await daemon.json(["peek", "alice"])) as { messages: { from: string; content: string }[] };
    expect(messages.filter(({ from }) => from === "user").map(({ content }) => content)).toEqual(["before", "after"]);
  });

  it("ls, status, doctor and health say that it is gone, and a person begins anew [retention.gone]", async () => {
    rmSync(folder(), { recursive: true });
    expect(await daemon.run(["send", "alice", "lost?"])).toMatchObject(refused);
    expect((await daemon.run(["ls"])).err).toContain("was deleted or moved away");
    expect((await daemon.run(["status"])).out).toContain("was deleted or moved away");
    expect(await daemon.run(["doctor"])).toMatchObject({
      exit: 1,
      out: expect.stringContaining("was deleted or moved"),
    });
    expect(await (await daemon.fetch("/health")).json()).toMatchObject({ status: "degraded" });

    const reopened = await daemon.run(["doctor", "--reopen"]);
    expect(reopened.out).toContain("begins with an empty database");
    expect(await daemon.run(["send", "alice", "anew"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["ls"])).err).toBe("");
    expect(await daemon.run(["doctor", "--reopen"])).toMatchObject({
      out: expect.stringContaining("nothing to reopen"),
    });
  });

  it("a restart says that it begins with an empty database [retention.restart]", async () => {
    rmSync(folder(), { recursive: true });
    await daemon.stop();
    await using next = await daemon.restart();
    const run = (args: readonly string[]) => runInstalled(args, { cwd: next.project, env: next.env });
    expect((await run(["ls"])).err).toContain("The one it had is gone");
    expect((await run(["status"])).out).toContain("begins with an empty database");
    expect(await run(["send", "alice", "anew"])).toMatchObject({ exit: 0 });
  });
});

describe("many dead letters", () => {
  let daemon: CommandedDaemon;
  beforeAll(async () => {
    const fails = "name: NAME\nbackend: mock\nmodel: fails.yaml\nprompt: { system: Answer. }\n";
    daemon = await startCommandedDaemon({
      files: {
        ".agents/bob.yaml": fails.replace("NAME", "bob"),
        ".agents/eve.yaml": fails.replace("NAME", "eve"),
        "fails.yaml": "- { repeat: true, steps: [{ fail: permanent, times: 100000 }] }\n",
      },
    });
    for (const [agent, count] of [
      ["bob", 130],
      ["eve", 5],
    ] as const) {
      for (let n = 0; n < count; n += 1) await daemon.client.call("send-message", { to: agent, message: `work ${n}` });
    }
    await eventually("135 dead letters", async () => (await dead([])).total === 135);
  });
  afterAll(() => daemon[Symbol.asyncDispose]());
  const dead = async (args: readonly string[]) =>
    (await daemon.json(["dead", "list", ...args])) as { total: number; deliveries: { id: string; agent: string }[] };

  it("the list says how many there are, and goes on after any of them [retention.dead-list]", async () => {
    const first = await daemon.run(["dead", "list", "--limit", "2"]);
    expect(first.out).toMatch(/2 of 135 dead letters\. The next ones: agent-worker dead list --before dlv_\w+/);
    const all = await dead(["--all"]);
    expect(new Set(all.deliveries.map(({ id }) => id)).size).toBe(135);
    const before = all.deliveries[99]?.id ?? "";
    expect(await dead(["--before", before, "--limit", "500"])).toEqual({
      total: 135,
      deliveries: all.deliveries.slice(100),
    });
    expect(await dead(["--agent", "eve"])).toMatchObject({ total: 5 });
    expect(await dead(["--since", "2h"])).toMatchObject({ total: 135 });
    expect(await dead(["--since", "1ms"])).toMatchObject({ total: 0 });
  });

  it("many are retried or dropped at once, with a yes [retention.dead-many]", async () => {
    expect(await daemon.run(["dead", "drop", "--all"])).toMatchObject({
      exit: 3,
      err: expect.stringContaining("135 dead letters"),
    });
    expect(await daemon.run(["dead", "drop"])).toMatchObject({ exit: 2 });
    expect(await daemon.json(["dead", "drop", "--agent", "bob", "--yes"])).toEqual({ dropped: 130, refused: [] });
    expect(await dead([])).toMatchObject({ total: 5 });
    expect(await daemon.json(["dead", "retry", "--since", "2h", "--yes"])).toEqual({ retried: 5, refused: [] });
    await eventually("they die again", async () => (await dead([])).total === 5);
  });
});

describe("old data", () => {
  let daemon: CommandedDaemon;
  beforeAll(async () => {
    const team = "agents: { helper: { backend: mock, prompt: { system: Help. } } }\n";
    daemon = await startCommandedDaemon({
      files: {
        ...FILES,
        ".agents/bob.yaml": "name: bob\nbackend: mock\nmodel: fails.yaml\nprompt: { system: Answer. }\n",
        "fails.yaml": "- { repeat: true, steps: [{ fail: permanent, times: 100000 }] }\n",
        ".workflows/talk.yaml": `name: talk\n${team}kickoff: "@helper hello"\n`,
        ".workflows/stuck.yaml": 'name: stuck\nagents: { bob: { ref: bob } }\nkickoff: "@bob hello"\n',
        "moniro.yaml": "retention: { transcripts: 1ms, events: 1ms, workspaces: 1ms }\n",
      },
    });
    await daemon.run(["run", "talk"]);
    await daemon.run(["run", "stuck"]);
    for (const text of ["one", "two"]) await daemon.run(["send", "alice", text, "--wait"]);
  });
  afterAll(() => daemon[Symbol.asyncDispose]());
  const runs = async () => ((await daemon.json(["runs", "list"])) as { runs: { id: string; agent: string }[] }).runs;
  const rows = (sql: string): number => {
    using db = new DatabaseSync(join(daemon.project, ".workspace/agent-worker.db"), { readOnly: true });
    return Number(db.prepare(sql).get()?.["n"]);
  };
  const TRANSCRIPTS = "SELECT count(*) AS n FROM step WHERE transcript <> ''";

  it("prune --dry-run says what prune removes, and removes nothing [retention.prune]", async () => {
    const before = { runs: await runs(), transcripts: rows(TRANSCRIPTS) };
    const dry = (await daemon.json(["prune", "--dry-run"])) as { pruned: { events: { count: number } } };
    expect({ runs: await runs(), transcripts: rows(TRANSCRIPTS) }).toEqual(before);
    expect(dry).toMatchObject({ pruned: { transcripts: { runs: 1 }, workspaces: { count: 1, messages: 2 } } });
    expect(dry.pruned.events.count).toBeGreaterThan(5);

    const done = (await daemon.json(["prune", "--vacuum"])) as { pruned: object; database: { freeBytes: number } };
    expect(done.pruned).toEqual(dry.pruned);
    expect(done.database.freeBytes).toBe(0);
    expect(rows("SELECT count(*) AS n FROM event")).toBe(1);
  });

  it("what is unanswered stays, direct messages stay, the last transcript stays [retention.kept]", async () => {
    const { workspaces } = (await daemon.json(["ls", "--all"])) as { workspaces: { name: string }[] };
    expect(workspaces.map(({ name }) => name)).toEqual(["stuck"]);
    expect(await daemon.json(["dead", "list"])).toMatchObject({ total: 1 });
    const { messages } = (await daemon.json(["peek", "alice"])) as { messages: { from: string; content: string }[] };
    expect(messages.filter(({ from }) => from === "user").map(({ content }) => content)).toEqual(["one", "two"]);
    const [last, first] = (await runs()).filter(({ agent }) => agent === "alice");
    expect(rows(`${TRANSCRIPTS} AND run = '${last?.id}'`)).toBe(1);
    expect(rows(`${TRANSCRIPTS} AND run = '${first?.id}'`)).toBe(0);
    expect((await daemon.run(["runs", "show", first?.id ?? ""])).out).toContain("removed");
    expect(await daemon.run(["send", "alice", "three", "--wait"])).toMatchObject({ exit: 0 });
  });

  it("a client with an older Last-Event-ID is told that events are missing [retention.reset]", async () => {
    const response = await daemon.fetch("/events", { headers: { "last-event-id": "1" } });
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes("event: recorded")) break;
    }
    expect(text).toMatch(/event: reset\ndata: \{"since":1,"oldest":\d+/);
  });

  it("a project that was moved while it was open goes on at its new place [retention.moved-project]", async () => {
    const moved = `${daemon.project}-moved`;
    renameSync(daemon.project, moved);
    const run = (args: readonly string[]) => runInstalled(args, { cwd: moved, env: daemon.env });
    expect(await run(["send", "alice", "moved", "--wait"])).toMatchObject({ exit: 0, err: "" });
    expect((await run(["peek", "alice"])).out).toContain("two");
    expect((await run(["status"])).out).not.toContain("Problem");
  });
});
