import type { Client } from "../../../client/client.ts";
import type { OperationInput, OperationName, OperationOutput } from "../../../contract/operations.ts";
import { formatSpace } from "../../output/format-space.ts";
import { line, span, type Line } from "../../screen/span.ts";
import { wrapLine } from "../../screen/wrap-line.ts";
import type { ChatEvent, ChatState } from "../model/chat-state.ts";
import { markdownLines } from "../view/markdown-lines.ts";
import { refusalText } from "./send-text.ts";

/** A command of the person, in the pane of a space. */
interface CommandContext {
  readonly client: Client;
  readonly state: ChatState;
  readonly space: string;
  readonly words: readonly string[];
  /** The words as they were typed. */
  readonly text: string;
  send(space: string, text: string): Promise<void>;
  /** Variables of the person, for what is started. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Answer = (context: CommandContext) => Promise<ChatEvent>;

/** Commands that ask the daemon. */
export const ANSWERS: Readonly<Record<string, Answer>> = { start, stop, model, memory, doc };

async function start({ client, state, space, text, env, send }: CommandContext): Promise<ChatEvent> {
  if (state.workspaces.some((each) => each.space === space)) {
    return { type: "notice", text: `${formatSpace(space)} is at work already: write to it.`, style: "warn" };
  }
  const { reopenWorkspace, startWorkspace } = await import("./start-workspace.ts");
  if (text === "") return startWorkspace(client, space, env);
  const refused = await reopenWorkspace(client, space);
  if (refused !== undefined) return refused;
  await send(space, text);
  return { type: "notice", text: `${formatSpace(space)} goes on.`, style: "dim" };
}

async function stop({ client, state, space, words }: CommandContext): Promise<ChatEvent> {
  const atWork = state.agents.filter(({ work }) => work?.space === space).map(({ name }) => name);
  const names = words.length > 0 ? words : space.startsWith("@") ? atWork : [space];
  if (names.length === 0) return { type: "notice", text: "Nobody is at work here.", style: "warn" };
  const results = await Promise.all(names.map(async (name) => ({ name, result: await client.stopAgent(name) })));
  const said = results.map(({ name, result }) =>
    result.ok ? `Stopped ${name}. It goes on when something new comes for it.` : refusalText(result.error),
  );
  return {
    type: "note",
    space,
    text: said.join("\n"),
    style: results.every(({ result }) => result.ok) ? "dim" : "bad",
  };
}

async function model(context: CommandContext): Promise<ChatEvent> {
  const { state, words } = context;
  const isNamed = state.agents.some((each) => each.name === words[0]);
  const wanted = words[isNamed || words.length > 1 ? 1 : 0];
  const name = isNamed || words.length > 1 ? words[0] : agentIn({ ...context, words: [] });
  if (name === undefined) return whom("model", wanted === undefined ? "" : ` ${wanted}`);
  if (words.length > 2) return { type: "notice", text: "A model is one word: /model [NAME] [MODEL]", style: "warn" };
  if (wanted !== undefined) return setModelOf(context, name, wanted);
  const shown = await ask(context.client, "show-agent", { name });
  if ("refusal" in shown) return shown.refusal;
  const { model: used, backend, provider } = shown.value;
  const from = provider === null ? "" : ` from ${provider}`;
  const text = `${name} uses ${used ?? "the default model"}${from} on ${backend}. Change it with: /model ${name} MODEL`;
  return { type: "note", space: context.space, text, style: "dim" };
}

/** The same as `agent edit NAME --model`. */
async function setModelOf({ client, state, space }: CommandContext, name: string, wanted: string): Promise<ChatEvent> {
  const { changeModel } = await import("../../definitions/change-model.ts");
  const result = await changeModel(client, name, wanted);
  if (!result.ok) return { type: "note", space, text: refusalText(result.error), style: "bad" };
  const { file, changed } = result.value;
  const isAtWork = state.agents.some((each) => each.name === name && each.work !== null);
  const when = isAtWork ? "from its next run on; the one at work goes on as it is" : "from now on";
  const text = changed ? `${name} uses ${wanted} ${when}, as ${file} says.` : `${name} uses ${wanted} already.`;
  return { type: "note", space, text, style: "dim" };
}

async function memory(context: CommandContext): Promise<ChatEvent> {
  const name = agentIn(context);
  if (name === undefined) return whom("memory");
  const listed = await ask(context.client, "list-memory", { agent: name });
  if ("refusal" in listed) return listed.refusal;
  const width = context.state.size.columns - 1;
  const lines = listed.value.entries.flatMap(({ key, value, tier, outside }): Line[] =>
    wrapLine(
      line(
        span(key, "bold"),
        span(` ${tier}${outside ? ", outside text" : ""}  `, "dim"),
        typeof value === "string" ? value : JSON.stringify(value),
      ),
      width,
      2,
    ),
  );
  const shown = lines.length === 0 ? [line(`${name} remembers nothing yet.`)] : lines;
  return { type: "page", title: `What ${name} remembers`, lines: shown };
}

async function doc({ client, state, space, words: [file] }: CommandContext): Promise<ChatEvent> {
  if (!space.startsWith("@"))
    return { type: "notice", text: "Documents belong to workspaces: open one with /open @NAME.", style: "warn" };
  if (file === undefined) {
    const listed = await ask(client, "list-documents", { target: space });
    if ("refusal" in listed) return listed.refusal;
    const lines = listed.value.documents.map(({ file: name, bytes }) => line(name, span(`  ${bytes} bytes`, "dim")));
    const shown =
      lines.length === 0
        ? [line("There are no documents yet.")]
        : [...lines, [], line(span("/doc FILE shows one.", "dim"))];
    return { type: "page", title: `Documents of ${formatSpace(space)}`, lines: shown };
  }
  const document = await ask(client, "read-document", { target: space, file });
  if ("refusal" in document) return document.refusal;
  return { type: "page", title: file, lines: markdownLines(document.value.content, state.size.columns - 1, new Set()) };
}

/** The agent that a command is about: named, or the one of the pane, or the only one of the workspace. */
function agentIn({ state, space, words: [named] }: CommandContext): string | undefined {
  if (named !== undefined) return named;
  if (!space.startsWith("@")) return space;
  const participants = state.workspaces.find((each) => each.space === space)?.participants ?? [];
  return participants.length === 1 ? participants[0] : undefined;
}

function whom(name: string, rest = ""): ChatEvent {
  return { type: "notice", text: `Say whose: /${name} NAME${rest}`, style: "warn" };
}

async function ask<Name extends OperationName>(
  client: Client,
  name: Name,
  input: OperationInput<Name>,
): Promise<{ readonly value: OperationOutput<Name> } | { readonly refusal: ChatEvent }> {
  const result = await client.call(name, input);
  if (result.ok) return { value: result.value };
  return { refusal: { type: "notice", text: refusalText(result.error), style: "bad" } };
}
