import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { eventually } from "../support/team/running-project.ts";
import { agentFile, TEAM } from "../support/team/team.ts";

const FILES = {
  ...TEAM,
  ...agentFile("dora", "model: scripts/dora.yaml\n"),
  "scripts/dora.yaml": "- repeat: true\n  steps:\n    - { fail: permanent, message: The line is dead., times: 9 }\n",
  ...agentFile("eve", "model: scripts/eve.yaml\ntools: [bash]\npermissions: { mode: host }\n"),
  "scripts/eve.yaml":
    "- repeat: true\n  steps:\n    - { call: { tool: bash, args: { command: 'printf x >> made.txt' } } }\n    - { say: Done. }\n",
  ...agentFile("gil", "model: scripts/gil.yaml\ntools: [bash]\npermissions: { mode: host }\n"),
  "scripts/gil.yaml":
    "- steps:\n    - { call: { tool: bash, args: { command: 'printf x >> gil.txt' } } }\n    - { say: I did what I could. }\n- repeat: true\n  steps:\n    - { say: I go on. }\n",
  ...agentFile("fay", "model: scripts/fay.yaml\ntools: [feedback_submit]\n"),
  "scripts/fay.yaml":
    "- steps:\n    - { call: { tool: feedback_submit, args: { type: idea, description: A quieter channel. } } }\n    - { say: Done. }\n",
};

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: FILES });
  await daemon.client.call("open-workspace", { workflow: "review" });
});
afterAll(() => daemon[Symbol.asyncDispose]());

/** Sends a message to an agent and waits until it is settled, one way or the other. */
async function askAgent(agent: string, message: string): Promise<void> {
  await daemon.client.call("send-message", { to: agent, message });
  await eventually(`${agent} is done`, async () => {
    const inbox = await daemon.client.call("read-inbox", { target: agent });
    return inbox.ok && inbox.value.deliveries.length === 0;
  });
}

/** Of commands that should be refused, with exit code and reason: those that are not, with what they answer instead. */
async function notRefused(cases: readonly (readonly [args: readonly string[], exit: number, says: string])[]) {
  const answers = await Promise.all(
    cases.map(async ([args, exit, says]) => ({ args, exit, says, answer: await daemon.run(args) })),
  );
  return answers.filter(
    ({ exit, says, answer }) => answer.exit !== exit || answer.out !== "" || !answer.err.includes(says),
  );
}

describe("agent-worker schedule", () => {
  it("[cli.schedule] sets, shows and clears what wakes an agent or a workspace", async () => {
    expect(await daemon.run(["schedule"])).toEqual({ exit: 0, out: "Nothing is scheduled.\n", err: "" });
    expect(await daemon.json(["schedule", "alice", "set", "30m", "--prompt", "Look around"])).toEqual({
      target: "alice",
      wakeup: "30m",
      state: "waiting",
      paused: false,
      defined: false,
      reason: null,
      timeZone: null,
      prompt: "Look around",
      agents: ["alice"],
      nextAt: expect.stringMatching(/^\d{4}-/),
      lastFiredAt: null,
    });
    const cron = await daemon.run(["schedule", "@review", "set", "0 9 * * 1-5", "--tz", "Europe/Berlin"]);
    expect(cron.out).toMatch(/^@review: 0 9 \* \* 1-5 \(Europe\/Berlin\), wakes .*bob.*, next \d{4}-/);
    expect(await daemon.json(["schedule", "alice"])).toMatchObject({ schedules: [{ target: "alice" }] });
    expect(await daemon.run(["schedule", "alice", "clear"])).toMatchObject({ out: "alice is not woken any more.\n" });
    expect(await daemon.run(["schedule", "alice", "clear"])).toMatchObject({
      exit: 3,
      err: "Error: There is no schedule for alice.\nSee: agent-worker schedule\n",
    });
    await daemon.run(["schedule", "@review", "clear"]);
  });

  it("[cli.errors] says what is wrong with a time, a target or an action", async () => {
    const others = await notRefused([
      [["schedule", "alice", "set", "soon"], 2, "soon"],
      [["schedule", "nobody", "set", "5m"], 3, "nobody"],
      [["schedule", "alice", "set"], 2, "WHEN is missing"],
      [["schedule", "alice", "sett", "5m"], 2, "Did you mean set?"],
      [["schedule", "alice", "clear", "5m"], 2, "one word too many"],
    ]);
    expect(others).toEqual([]);
  });
});

describe("agent-worker doc", () => {
  it("[cli.doc] creates, writes, appends, reads and lists", async () => {
    expect(await daemon.run(["doc", "list", "@review"])).toMatchObject({ out: expect.stringContaining("notes.md") });
    const made = await daemon.json(["doc", "create", "@review", "plan.md", "# Plan"]);
    expect(made).toEqual({ space: "@review:main", file: "plan.md", revision: expect.any(String) });
    await daemon.json(["doc", "append", "@review", "plan.md", "-"], { input: "first, think\n" });
    expect(await daemon.run(["doc", "read", "@review", "plan.md"])).toEqual({
      exit: 0,
      out: "# Plan\nfirst, think\n",
      err: "",
    });
    expect(await daemon.json(["doc", "read", "@review", "plan.md", "--previous"])).toMatchObject({ content: "# Plan" });
    expect(await daemon.run(["doc", "write", "@review", "notes.md", "short"])).toMatchObject({
      out: "Wrote notes.md.\n",
    });
    expect(await daemon.run(["doc", "read", "@review"])).toMatchObject({ out: "short\n" });
    expect(await daemon.json(["doc", "list", "@review"])).toEqual({
      space: "@review:main",
      defaultFile: "notes.md",
      owner: null,
      electing: false,
      documents: [
        { file: "notes.md", bytes: 5, modifiedAt: expect.any(String) },
        { file: "plan.md", bytes: 20, modifiedAt: expect.any(String) },
      ],
    });
  });

  it("[cli.doc] [cli.errors] refuses what would lose something, and says why", async () => {
    const others = await notRefused([
      [["doc", "create", "@review", "notes.md"], 3, "notes.md"],
      [["doc", "write", "@review", "notes.md", "x", "--revision", "old"], 3, "notes.md"],
      [["doc", "read", "@review", "none.md"], 3, "none.md"],
      [["doc", "read", "@review", "../../../etc/passwd"], 2, ".."],
      [["doc", "list", "@nothing"], 3, "Known workflows: review"],
      [["doc", "list"], 2, "TARGET is missing"],
      [["doc", "raed", "@review"], 2, '"read"'],
    ]);
    expect(others).toEqual([]);
  });

  it("[document.suggestions] [document.suggestion-accept] [document.suggestion-reject] takes suggestions", async () => {
    await daemon.run(["doc", "write", "@review", "ideas.md", "one"]);
    const { id } = (await daemon.json([
      "doc",
      "suggest",
      "@review",
      "ideas.md",
      "two",
      "--append",
      "--note",
      "more",
    ])) as {
      id: string;
    };
    await daemon.run(["doc", "suggest", "@review", "ideas.md", "nothing"]);
    const open = (await daemon.json(["doc", "suggestions", "@review"])) as { suggestions: { id: string }[] };
    expect(open.suggestions).toMatchObject([
      { id, file: "ideas.md", way: "append", content: "two", note: "more", author: "user", state: "open" },
      { way: "replace", content: "nothing", note: null },
    ]);
    expect((await daemon.run(["doc", "suggestions", "@review"])).out).toContain("user adds: two\n  more\n");
    expect(await daemon.run(["doc", "accept", id])).toMatchObject({
      exit: 0,
      out: expect.stringContaining("ideas.md"),
    });
    const rejected = await daemon.json(["doc", "reject", open.suggestions[1]?.id ?? "", "--reason", "no"]);
    expect(rejected).toMatchObject({ state: "rejected", reason: "no" });
    expect(await daemon.run(["doc", "read", "@review", "ideas.md"])).toMatchObject({ out: "one\ntwo\n" });
    expect(await daemon.run(["doc", "accept", id])).toMatchObject({
      exit: 3,
      err: expect.stringContaining("accepted"),
    });
    expect(await daemon.run(["doc", "accept", "sug_none"])).toMatchObject({ exit: 3 });
  });
});

describe("agent-worker proposal", () => {
  it("[cli.proposal] creates, shows, votes, lists and cancels", async () => {
    const create = ["proposal", "create", "@review", "Merge it?", "-o", "now", "-o", "later", "--voter", "user"];
    const ballot = (await daemon.json([...create, "--voter", "alice", "--timeout", "30m"])) as { id: string };
    expect(ballot).toMatchObject({ type: "decision", state: "open", voters: ["user", "alice"], quorum: 2 });
    const voted = await daemon.run(["proposal", "vote", ballot.id, "later", "--reason", "not ready"]);
    expect(voted).toMatchObject({ exit: 0, err: "" });
    expect(voted.out).toContain("user votes later: not ready");
    expect((await daemon.run(["proposal", "show", ballot.id])).out).toContain("not yet: alice");
    expect(await daemon.json(["proposal", "list", "@review"])).toMatchObject({ ballots: [{ id: ballot.id }] });
    expect(await daemon.run(["proposal", "cancel", ballot.id])).toMatchObject({ out: 'Cancelled "Merge it?".\n' });
    expect(await daemon.run(["proposal", "list", "@review"])).toMatchObject({ out: expect.stringContaining("--all") });
    expect((await daemon.run(["proposal", "list", "@review", "--all"])).out).toMatch(
      new RegExp(`^${ballot.id} +Merge it\\? \\(decision, cancelled; 1 of 2 voted\\)\n$`),
    );
    expect(await daemon.run(["proposal", "vote", ballot.id, "now"])).toMatchObject({ exit: 3 });
  });

  it("[cli.proposal] [cli.errors] names what a ballot cannot be", async () => {
    const create = ["proposal", "create", "@review", "Well?"];
    const others = await notRefused([
      [[...create, "--type", "pol"], 2, "it is one of election, decision"],
      [[...create, "-o", "a", "-o", "b", "--quorum", "many"], 2, "whole number"],
      [[...create, "-o", "only"], 2, "option"],
      [[...create, "-o", "a", "-o", "b", "--voter", "zoe"], 3, "zoe"],
      [["proposal", "show", "bal_none"], 3, "bal_none"],
      [["proposal", "list", "@nothing"], 3, "nothing"],
      [["proposal", "vote", "bal_none"], 2, "OPTION is missing"],
    ]);
    expect(others).toEqual([]);
  });
});

describe("agent-worker dead", () => {
  it("[cli.dead] lists what could not be answered, tries it again and gives it up", async () => {
    expect(await daemon.run(["dead", "list"])).toMatchObject({ out: "There are no dead letters.\n" });
    await askAgent("dora", "hello?");
    const listed = (await daemon.json(["dead", "list"])) as { deliveries: { id: string }[] };
    const [letter] = listed.deliveries;
    expect(letter).toMatchObject({
      agent: "dora",
      state: "dead",
      reason: "The line is dead.",
      message: { from: "user" },
    });
    const id = letter?.id ?? "";
    expect((await daemon.run(["dead", "list", "dora"])).out).toMatch(/for dora: The line is dead\.\n.*hello\?/);
    expect(await daemon.run(["dead", "list", "@review"])).toMatchObject({ out: "There are no dead letters.\n" });
    expect(await daemon.run(["dead", "retry", id])).toMatchObject({ exit: 0, out: "dora gets it once more.\n" });
    await eventually("it died again", async () => {
      const dead = await daemon.client.call("list-dead-letters", {});
      return dead.ok && dead.value.deliveries.some((each) => each.id === id);
    });
    expect(await daemon.json(["dead", "drop", id])).toEqual({ id, agent: "dora", space: "dora" });
    const others = await notRefused([
      [["dead", "drop", id], 3, "dead list"],
      [["dead", "retry", "dlv_none"], 3, "dlv_none"],
      [["dead", "retry"], 2, "ID is missing"],
    ]);
    expect(others).toEqual([]);
  });
});

describe("agent-worker approve and deny", () => {
  const pending = async (): Promise<string> => {
    let id: string | undefined;
    await eventually("somebody is asked", async () => {
      const waiting = await daemon.client.call("list-approvals", {});
      id = waiting.ok ? waiting.value.approvals[0]?.id : undefined;
      return id !== undefined;
    });
    return id ?? "";
  };

  it("[cli.approval] show the calls that wait, and decide", async () => {
    expect(await daemon.run(["approval", "list"])).toMatchObject({ out: "Nothing waits for you.\n" });
    const made = (): boolean => existsSync(join(daemon.project, "made.txt"));
    await daemon.client.call("send-message", { to: "eve", message: "go" });
    const first = await pending();
    expect(await daemon.json(["pending"])).toMatchObject({
      approvals: [{ id: first, agent: "eve", state: "pending" }],
    });
    expect((await daemon.run(["approval", "list", "eve"])).out).toMatch(/eve in eve, .*\n {2}bash .*printf x/);
    expect(await daemon.json(["deny", first, "--reason", "not today"])).toMatchObject({
      id: first,
      state: "denied",
      reason: "not today",
      decidedBy: "user",
    });
    expect(made()).toBe(false);
    await daemon.client.call("send-message", { to: "eve", message: "go again" });
    const second = await pending();
    expect(await daemon.run(["approve", second])).toMatchObject({ exit: 0, out: "eve may call bash.\n" });
    await eventually("the call is made", async () => made());
    expect(await daemon.json(["approval", "list", "--state", "all"])).toMatchObject({
      approvals: [{ state: "approved" }, { state: "denied" }],
    });
    await daemon.client.call("send-message", { to: "eve", message: "go once more" });
    const third = await pending();
    expect((await daemon.run(["pending"])).out).toMatch(/^Tool calls \(approve ID, deny ID\)\n.*eve in eve/);
    const always = await daemon.run(["approve", third, "--always"]);
    expect(always).toMatchObject({ exit: 3, err: expect.stringContaining("cannot be written") });
    expect(await daemon.run(["approve", third, "--run"])).toMatchObject({ exit: 0, out: "eve may call bash.\n" });
    const others = await notRefused([
      [["approve", second], 3, "already"],
      [["deny", "apr_none"], 3, "apr_none"],
      [["approval", "list", "--state", "open"], 2, "pending"],
    ]);
    expect(others).toEqual([]);
  });

  it("[starts.stopped-agent] a call that waits when its agent is stopped is refused, and waits for nobody any more", async () => {
    await daemon.client.call("send-message", { to: "gil", message: "go" });
    const call = await pending();
    expect(await daemon.run(["stop", "gil"])).toMatchObject({ exit: 0, out: expect.stringContaining("Stopped gil.") });
    expect(await daemon.run(["pending"])).toMatchObject({ out: "Nothing waits for you.\n" });
    expect(await daemon.run(["approve", call])).toMatchObject({ exit: 3, err: expect.stringContaining("already") });
    expect(await daemon.json(["ls"])).toMatchObject({
      agents: expect.arrayContaining([expect.objectContaining({ name: "gil", state: "stopped" })]),
    });
    const answer = await daemon.run(["send", "gil", "go on", "--wait"]);
    expect(answer).toMatchObject({ exit: 0, out: expect.stringContaining("I go on.") });
    expect(existsSync(join(daemon.project, "gil.txt"))).toBe(false);
  });
});

describe("agent-worker resource and export", () => {
  const LONG = `${"A long story. ".repeat(10_000)}The end.`;

  it("[cli.resource] prints the whole of what a message only begins", async () => {
    const sent = await daemon.client.call("send-message", { to: "@review", message: LONG });
    const id = sent.ok ? (sent.value.resource ?? "") : "";
    const { exit, out } = await daemon.run(["resource", "show", id]);
    expect({ exit, same: out === LONG }).toEqual({ exit: 0, same: true });
    const whole = (await daemon.json(["resource", "show", id])) as { content: string };
    expect(whole).toMatchObject({ id, total: LONG.length, createdBy: "user" });
    expect(whole.content === LONG).toBe(true);
    const others = await notRefused([
      [["resource", "show", "res_1"], 2, "res_"],
      [["resource", "show", `res_${"0".repeat(32)}`], 3, "no resource"],
    ]);
    expect(others).toEqual([]);
  });

  it("[cli.export-stats] writes everything that was said, page by page, with long messages whole", async () => {
    for (let batch = 0; batch < 6; batch += 1) {
      const sends = Array.from({ length: 100 }, (_, n) =>
        daemon.client.call("send-message", { to: "@review", message: `line ${batch * 100 + n}` }),
      );
      await Promise.all(sends);
    }
    const exported = (await daemon.json(["export", "@review"])) as { messages: { seq: number; content: string }[] };
    const contents = exported.messages.map(({ content }) => content);
    expect(contents.filter((text) => /^line \d+$/.test(text))).toHaveLength(600);
    expect(contents.some((text) => text === LONG)).toBe(true);
    expect(exported.messages.map(({ seq }) => seq)).toEqual(
      exported.messages.map(({ seq }) => seq).toSorted((a, b) => a - b),
    );

    writeFileSync(join(daemon.project, "all.md"), "before");
    const written = await daemon.run(["export", "@review", "-o", "all.md"]);
    expect(written).toEqual({ exit: 0, out: `Wrote ${exported.messages.length} messages to all.md.\n`, err: "" });
    const text = readFileSync(join(daemon.project, "all.md"), "utf8");
    expect(text).toMatch(/^# @review\n\n## /);
    expect(text).toContain("line 599\n");
    expect(await daemon.json(["export", "alice", "--format", "json"])).toEqual({ target: "alice", messages: [] });
  });

  it("[cli.export-stats] [cli.errors] leaves no half file", async () => {
    const others = await notRefused([
      [["export", "@nothing", "-o", "none.md"], 3, "nothing"],
      [["export", "@review", "-o", "no/such/folder.md"], 1, "no/such/folder.md"],
      [["export", "@review", "--format", "pdf"], 2, "md, json"],
    ]);
    expect(others).toEqual([]);
    expect(existsSync(join(daemon.project, "none.md"))).toBe(false);
  });
});

describe("agent-worker clear, stats, tool and feedback", () => {
  it("[cli.export-stats] [conversation.clear] count what was used and set conversations aside", async () => {
    await askAgent("carol", "hello");
    const used = (await daemon.json(["stats", "carol"])) as { total: { runs: number } };
    expect(used.total).toMatchObject({ runs: 1, steps: 1, cost: expect.any(Object) });
    expect((await daemon.run(["stats"])).out).toMatch(/^agent +carol +1 +1 /m);
    expect(await daemon.run(["stats", "@review", "--since", "2999-01-01"])).toMatchObject({
      out: "Nothing was used yet.\n",
    });
    await eventually("the conversation is kept", async () => {
      const kept = await daemon.client.call("read-conversation", { agent: "carol" });
      return kept.ok && kept.value.entries.length === 2;
    });
    expect(await daemon.json(["clear", "carol"])).toEqual({ agent: "carol", archived: [expect.any(String)] });
    expect(await daemon.run(["clear", "carol"])).toMatchObject({ exit: 0 });
    const others = await notRefused([
      [["clear", "nobody"], 3, "nobody"],
      [["stats", "--since", "yesterday"], 2, "since"],
    ]);
    expect(others).toEqual([]);
  });

  it("[tool.list] lists what an agent can do, there where it works", async () => {
    const named = async (agent: string): Promise<string[]> =>
      ((await daemon.json(["tool", "list", agent])) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(await named("alice")).toEqual(expect.arrayContaining(["channel_send", "my_inbox", "todo"]));
    expect(await named("helper@review")).not.toContain("todo");
    expect(await named("eve")).toContain("bash");
    expect(await named("alice")).not.toContain("bash");
    expect(await named("fay")).toContain("feedback_submit");
    expect((await daemon.run(["tool", "list", "eve"])).out).toMatch(/^bash +shell$/m);
    const others = await notRefused([
      [["tool", "list", "@review"], 2, "NAME@WORKFLOW"],
      [["tool", "list", "nobody"], 3, "nobody"],
      [["tool", "list", "dora@review"], 3, "dora"],
    ]);
    expect(others).toEqual([]);
  });

  it("[cli.feedback] shows what agents say about the work", async () => {
    expect(await daemon.run(["feedback", "list"])).toMatchObject({ out: "There is no feedback.\n" });
    await askAgent("fay", "hello");
    expect(await daemon.json(["feedback", "list"])).toMatchObject({
      feedback: [{ agent: "fay", space: "fay", type: "idea", description: "A quieter channel." }],
    });
    expect((await daemon.run(["feedback", "list"])).out).toMatch(/fay \(idea\):\n {2}A quieter channel\.\n$/);
    expect(await notRefused([[["feedback", "list", "-n", "x"], 2, "whole number"]])).toEqual([]);
  });
});
