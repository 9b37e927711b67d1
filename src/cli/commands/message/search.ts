import type { FoundView } from "../../../contract/reading/search.ts";
import { LIMIT } from "../../arguments/option.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { firstLine } from "../../output/visible-text.ts";

export const search = defineCommand({
  about: [
    "Finds a text in the messages of all spaces, in documents, runs and the names of agents and workspaces.",
    "Each time it looks at a part of the messages, the newest first, and says how to go on.",
  ].join("\n"),
  words: ["TEXT"],
  options: {
    before: { value: "NUMBER", about: "Go on with earlier messages" },
    limit: LIMIT,
  },
  examples: ["agent-worker search timeout", 'agent-worker search "off by one" -n 5'],

  async run({ words: [text = ""], options, terminal, call, print }) {
    const before = wholeNumber("--before", options.before);
    const found = await call("search", { text, before, limit: wholeNumber("-n", options.limit) });
    return print(found, () => foundText(paintFor(terminal), text, found));
  },
});

function foundText(paint: Paint, text: string, found: FoundView): string {
  const { agents, workspaces, documents, runs, messages, next } = found;
  const lines = [
    ...agents.map(({ name, role }) => `${paint.dim("agent")}  ${name}${role === null ? "" : `, ${firstLine(role)}`}`),
    ...workspaces.map(({ space, state }) => `${paint.dim("workspace")}  ${formatSpace(space)}, ${state}`),
    ...documents.map(
      ({ space, file, line, text: content }) =>
        `${paint.dim("document")}  ${formatSpace(space)} ${file}:${line}  ${firstLine(content)}`,
    ),
    ...runs.map(
      ({ id, agent, space, detail }) =>
        `${paint.dim("run")}  ${id}  ${agent} in ${formatSpace(space)}: ${firstLine(detail ?? "")}`,
    ),
    ...messages.map(
      ({ seq, space, from, content }) =>
        `${paint.dim("message")}  ${formatSpace(space)} ${seq}  ${from}: ${firstLine(around(content, text))}`,
    ),
  ];
  if (lines.length === 0) lines.push("Nothing was found.");
  if (next !== null)
    lines.push(paint.dim(`Earlier messages: agent-worker search ${JSON.stringify(text)} --before ${next}`));
  return `${lines.join("\n")}\n`;
}

const BEFORE_CHARS = 60;

/** Returns the text from a little before the place where the words are. */
function around(content: string, text: string): string {
  const at = content.toLowerCase().indexOf(text.toLowerCase());
  return at <= BEFORE_CHARS ? content : `…${content.slice(at - BEFORE_CHARS)}`;
}
