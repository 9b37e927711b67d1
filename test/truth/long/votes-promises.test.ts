import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BallotView } from "../../../src/contract/ballots.ts";
import type { RunEvent } from "../../../src/contract/service/work-request.ts";
import { value } from "../../support/result.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";

/** Reads the id of a ballot out of what the system says about it. */
const OPENED = "/opened the ballot .*\\((?<id>bal_\\w+)\\)/";
const REMINDED = "/Not voted yet.*\\((?<id>bal_\\w+)\\)/s";

const agent = (name: string): string =>
  `name: ${name}\nbackend: mock\nmodel: scripts/${name}.yaml\nprompt: { system: You help. }\n`;
const workflow = (name: string, body: string): string =>
  `name: ${name}\nagents: [alice, bob]\n${body}`.replace(
    "agents: [alice, bob]",
    "agents: { alice: { ref: alice }, bob: { ref: bob } }",
  );

const create = (more: string): string =>
  `{ call: { tool: proposal_create, args: { type: decision, title: Which database, options: [sqlite, postgres]${more} }, as: ballot } }`;
const vote = (option: string, id = "{{ id }}"): string =>
  `{ call: { tool: proposal_vote, args: { id: "${id}", option: ${option} } } }`;

const FILES = {
  ".agents/alice.yaml": agent("alice"),
  ".agents/bob.yaml": agent("bob"),
  ".workflows/ask.yaml": workflow("ask", 'kickoff: "@alice ask the team"\n'),
  ".workflows/forget.yaml": workflow("forget", 'kickoff: "@alice ask and forget"\n'),
  ".workflows/silence.yaml": workflow("silence", 'kickoff: "@alice ask in vain"\n'),
  ".workflows/elect.yaml": workflow("elect", 'workspace: { documentOwner: elect }\nkickoff: "@bob write it down"\n'),
  ".workflows/room.yaml": workflow("room", ""),
  "scripts/alice.yaml": `
- when: ask the team
  steps:
    - ${create("")}
    - ${vote("sqlite", "{{ ballot.id }}")}
    - say: I will act on the result.
- when: ask and forget
  steps:
    - ${create("")}
    - say: ""
- when: ask in vain
  steps:
    - ${create(", voters: [bob]").replace("Which database", "In vain")}
    - say: ""
- when: Decided
  steps:
    - say: I act on the result.
- when: ends without a winner
  steps:
    - say: Nobody decided.
- when: ${REMINDED}
  steps:
    - ${vote("sqlite")}
    - say: ""
- when: ${OPENED}
  repeat: true
  steps:
    - ${vote("bob")}
    - say: ""
`,
  "scripts/bob.yaml": `
- when: write it down
  steps:
    - { call: { tool: team_doc_write, args: { content: By bob. } } }
    - say: Written.
- when: In vain
  repeat: true
  steps:
    - say: ""
- when: ${OPENED.replace(" .*", ".*Who owns.*")}
  steps:
    - ${vote("bob")}
    - say: ""
- when: ${OPENED}
  repeat: true
  steps:
    - ${vote("sqlite")}
    - say: ""
- when: your task
  steps:
    - say: On it.
`,
};

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: FILES });
});
afterAll(() => daemon[Symbol.asyncDispose]());

/** Runs a workflow and returns its events. */
async function run(name: string): Promise<RunEvent[]> {
  const { exit, out, err } = await daemon.run(["run", name, "--json"]);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent);
}

const messagesOf = (events: readonly RunEvent[]) => events.filter((event) => event.type === "message");

/** What agents said, without the person and the system. */
const saidIn = (events: readonly RunEvent[]): string[] =>
  messagesOf(events)
    .filter(({ from }) => from !== "system" && from !== "user")
    .map(({ from, content }) => `${from}: ${content}`);

describe("a run with a ballot", () => {
  it("[votes.outcome-wakes] goes on when the vote is over: who opened the ballot is woken, once, and nobody else", async () => {
    const events = await run("ask");
    const outcome = messagesOf(events).filter(({ content }) => content.startsWith("Decided"));
    expect(outcome).toMatchObject([{ from: "system", mentions: ["alice"] }]);
    expect(saidIn(events)).toEqual(["alice: I will act on the result.", "alice: I act on the result."]);
  });

  it("[votes.reminder] reminds who forgot to vote, also who opened the ballot, once, and says what it waits for", async () => {
    const events = await run("forget");
    const reminders = messagesOf(events).filter(({ content }) => content.startsWith("Not voted yet"));
    expect(reminders).toMatchObject([{ from: "system", mentions: ["alice"] }]);
    expect(events.filter(({ type }) => type === "votes_awaited")).toMatchObject([
      { for: [expect.stringMatching(/^alice to vote on "Which database" \(bal_/)] },
    ]);
    expect(saidIn(events)).toEqual([]);
  });

  it("[votes.nobody-votes] ends when nobody votes after the reminder, long before the hour of the ballot", async () => {
    const { exit, err, out } = await daemon.run(["run", "silence"]);
    expect(exit).toBe(0);
    expect(err).toContain('Waiting for bob to vote on "In vain"');
    expect(out).toContain("Nobody decided.");
    const [ballot] = await ballotsOf("@silence");
    expect(ballot).toMatchObject({ state: "expired", winner: null });
  });

  it("[votes.election-first] elects the owner of the documents before the kickoff, which then writes", async () => {
    const events = await run("elect");
    const order = messagesOf(events).map(({ kind, content }) =>
      kind === "kickoff" ? "kickoff" : content.split(":")[0],
    );
    expect(order.indexOf("kickoff")).toBeGreaterThan(order.indexOf("Decided"));
    expect(events.filter((event) => event.type === "tool_result" && event.isError)).toEqual([]);
    expect(saidIn(events)).toEqual(["bob: Written."]);
    expect((await daemon.run(["doc", "list", "@elect"])).out).toContain("Written by bob");
  });
});

describe("a ballot of a person", () => {
  beforeAll(async () => {
    await daemon.json(["start", "room"]);
  });

  const voters = ["--voter", "user", "--voter", "alice", "--voter", "bob"];
  const ask = async (...args: string[]): Promise<BallotView> =>
    (await daemon.json(["proposal", "create", "@room", ...args])) as BallotView;
  const voteFor = async ({ id }: BallotView, option: string): Promise<BallotView> =>
    value(await daemon.client.call("cast-vote", { id, option }));

  it("[votes.quorum-closes] with a quorum of one is decided by the first vote", async () => {
    const ballot = await ask("Ship it?", "-o", "now", "-o", "later", ...voters.slice(0, 2), "--quorum", "1");
    expect(await voteFor(ballot, "later")).toMatchObject({ state: "resolved", winner: "later" });
  });

  it("[votes.binding-needs-consequence] is refused when it binds and nothing would follow", async () => {
    const { exit, err } = await daemon.run([
      "proposal",
      "create",
      "@room",
      "Who?",
      "--type",
      "election",
      "-o",
      "alice",
      "-o",
      "bob",
      "--binding",
    ]);
    expect(exit).not.toBe(0);
    expect(err).toMatch(/then.*document-owner/s);
  });

  it("[votes.consequence-by-name] makes the chosen one the owner of the documents, by name and in this workspace", async () => {
    const ballot = await ask(
      "Who?",
      "--type",
      "election",
      "-o",
      "alice",
      "-o",
      "bob",
      "--then",
      "document-owner",
      "--voter",
      "user",
    );
    expect(ballot).toMatchObject({ binding: true });
    expect(await voteFor(ballot, "bob")).toMatchObject({ effect: { propose: "set-document-owner", refused: null } });
    expect((await daemon.run(["doc", "list", "@room"])).out).toContain("Written by bob");
  });

  it("[votes.role] gives the chosen one a role that the team sees", async () => {
    const ballot = await ask("Who leads?", "-o", "bob=role: lead of the release", "-o", "nobody", "--voter", "user");
    await voteFor(ballot, "bob");
    expect((await daemon.run(["ls", "@room"])).out).toMatch(/bob .*lead of the release/);
  });

  it("[votes.assign] gives the chosen one a task, and wakes it with it", async () => {
    const ballot = await ask(
      "Who fixes it?",
      "--type",
      "assignment",
      "-o",
      "alice",
      "-o",
      "bob",
      "--then",
      "assign: Fix the login",
      "--voter",
      "user",
    );
    await voteFor(ballot, "bob");
    await expect.poll(async () => (await daemon.run(["peek", "@room"])).out, { timeout: 10_000 }).toContain("On it.");
  });
});

async function ballotsOf(target: string): Promise<BallotView[]> {
  return ((await daemon.json(["proposal", "list", target, "--all"])) as { ballots: BallotView[] }).ballots;
}
