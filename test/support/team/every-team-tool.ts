import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationInput, OperationName, OperationOutput } from "../../../src/contract/operations.ts";
import type { FakeToolCall, RecordedRequest } from "../engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../engine/fake-model-server/server.ts";
import { agentOn, MODEL_ENV } from "../security/scripted-model.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../daemon/commanded-daemon.ts";
import type { TestDaemon } from "../daemon/daemon.ts";
import { runInstalled } from "../daemon/installed-command.ts";
import { value } from "../result.ts";

/** A team whose agent calls, in one step, every tool of the team that changes something. */
export interface EveryToolTeam extends AsyncDisposable {
  readonly model: FakeModelServer;
  readonly project: string;
  /** Lets alice make the step, kills the daemon there, starts it again, and returns what the tools answered. */
  killInStep(word: string, killAt: string): Promise<string[]>;
  /** The same, undisturbed. */
  step(word: string): Promise<string[]>;
  call<Name extends OperationName>(operation: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>>;
  run: CommandedDaemon["run"];
  file(path: string): string;
  notes(): string[];
}

/** Each step ticks one. */
const OLD_TODOS = 20;
const TOOLS = "tools: ['*', feedback_submit, rule_add, rule_list, rule_remove]\n";

/** The calls hold the word, so that the effects of one step are told from those of another. */
export function callsFor(word: string, ballot: string): FakeToolCall[] {
  return [
    { name: "channel_send", args: { message: `said ${word}` } },
    { name: "my_status_set", args: { task: `task ${word}` } },
    { name: "team_doc_create", args: { file: `${word}.md`, content: `made ${word}\n` } },
    { name: "team_doc_append", args: { file: "log.md", content: `logged ${word}` } },
    { name: "team_doc_append", args: { file: "log.md", content: `logged ${word}` } },
    { name: "team_doc_write", args: { file: "plan.md", content: `planned ${word}\n` } },
    { name: "team_doc_suggest", args: { file: "log.md", content: `suggested ${word}` } },
    { name: "resource_create", args: { content: `kept ${word}` } },
    { name: "proposal_create", args: { type: "decision", title: `asked ${word}`, options: ["yes", "no"] } },
    { name: "proposal_vote", args: { id: ballot, option: "yes", reason: word } },
    {
      name: "memory_store",
      args: { key: `fact-${word}`, content: `The deploy of ${word} is done on Fridays by Zoe.` },
    },
    { name: "memory_store", args: { key: `gone-${word}`, content: `The cat of ${word} sleeps in the third drawer.` } },
    { name: "memory_forget", args: { id: `gone-${word}` } },
    { name: "ask_agent", args: { agent: "bob", query: `asked-about ${word}` } },
    { name: "soul_suggest", args: { observation: `I noticed ${word} about how I answer.` } },
    { name: "feedback_submit", args: { type: "idea", description: `feedback ${word}` } },
    {
      name: "rule_add",
      args: {
        name: `rule-${word}`,
        when: { on: "message", contains: `never-${word}` },
        then: { propose: "send-message", data: { message: "hello" } },
      },
    },
    { name: "todo_add", args: { text: `todo ${word}` } },
    { name: "todo_done", args: { number: 1 } },
    { name: "note_add", args: { text: `noted ${word}`, title: `note ${word}` } },
  ];
}

/** `killAt` is where the first daemon will be killed: a step that is killed elsewhere needs a new one first. */
export async function startEveryToolTeam(killAt?: string): Promise<EveryToolTeam> {
  let ready = killAt;
  const ballots = new Map<string, string>();
  const model = await startFakeModelServer((request) => {
    const { word, results } = turnOf(request);
    if (word === "") return { text: "" };
    return results.length > 0 ? { text: "Done." } : { toolCalls: callsFor(word, ballots.get(word) ?? "") };
  });
  const commanded = await startCommandedDaemon({
    env: { ...MODEL_ENV, ...killingAt(killAt) },
    files: {
      ".agents/alice.yaml": agentOn(model, "alice", TOOLS),
      ".agents/bob.yaml": "name: bob\nbackend: mock\nprompt: { system: You are bob. }\n",
      ".workflows/team.yaml": "name: team\nagents: { alice: { ref: alice }, bob: { ref: bob } }\n",
    },
  });
  let daemon: TestDaemon = commanded;
  const call: EveryToolTeam["call"] = async (name, input) => value(await daemon.client.call(name, input));
  await commanded.json(["start", "team"]);
  for (let each = 0; each < OLD_TODOS; each += 1) await call("add-todo", { agent: "alice", text: "old todo" });

  const restart = async (env: Readonly<Record<string, string>>): Promise<void> => {
    const before = daemon;
    daemon = await before.restart({ env: { ...MODEL_ENV, ...env } });
    before.client[Symbol.dispose]();
  };
  const begin = async (word: string): Promise<void> => {
    // An agent may have a few rules only.
    for (const { id } of (await call("list-rules", {})).rules) await call("remove-rule", { id });
    const options = { target: "@team", title: `before ${word}`, options: ["yes", "no"], voters: ["alice"] };
    const ballot = await call("create-ballot", { ...options, type: "decision" });
    ballots.set(word, ballot.id);
    await call("send-message", { to: "@team", message: `@alice do ${word}.` });
  };
  /** The answers of the tools, as the model gets them with its next request. */
  const answers = async (word: string): Promise<string[]> => {
    for (let seen = 0; ; seen += 1) {
      const answered = model.requests.map(turnOf).find((turn) => turn.word === word && turn.results.length > 0);
      if (answered !== undefined) return answered.results;
      await model.received(model.requests.length + 1);
    }
  };
  return {
    model,
    project: commanded.project,
    call,
    run: (args, { env, ...more } = {}) =>
      runInstalled(args, { ...more, cwd: daemon.project, env: { ...daemon.env, ...env } }),
    file: (path) => readFileSync(join(commanded.project, path), "utf8"),
    notes: () => readdirSync(join(commanded.project, ".agents/alice/notes")).filter((name) => !name.startsWith(".")),
    async step(word) {
      await begin(word);
      return answers(word);
    },
    async killInStep(word, where) {
      if (ready !== where) {
        await daemon.stop();
        await restart(killingAt(where));
      }
      ready = undefined;
      const { ended } = daemon;
      await begin(word);
      const end = await ended;
      if (end !== "SIGKILL") throw new Error(`the daemon ended with ${end}`);
      await restart({});
      return answers(word);
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

function killingAt(place: string | undefined): Readonly<Record<string, string>> {
  if (place === undefined) return {};
  const preload = join(import.meta.dirname, "../process/kill-at-file.ts");
  return { NODE_OPTIONS: `--import=${preload}`, KILL_AT: place };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

/** The word alice was last given, and what the tools answered since. */
function turnOf({ messages }: RecordedRequest): { readonly word: string; readonly results: string[] } {
  const blocks = (messages as readonly { readonly content: string | readonly Block[] }[]).map(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
  const at = blocks.findLastIndex((each) => each.some(({ text }) => text?.includes("<now ") === true));
  const prompt = (blocks[at] ?? []).map(({ text = "" }) => text).join("\n");
  const word = [...prompt.slice(prompt.lastIndexOf("<inbox>\n")).matchAll(/@alice do (\w+)\./g)].at(-1)?.[1] ?? "";
  const results = blocks
    .slice(at + 1)
    .flat()
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) =>
      typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n"),
    );
  return { word, results };
}
