import type { OperationOutput } from "../../../contract/operations.ts";
import { LIMIT } from "../../arguments/option.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { firstLine } from "../../output/visible-text.ts";
import { approvalText } from "./approval.ts";

export const pending = defineCommand({
  about: [
    "Lists everything that waits for you, oldest first: tool calls, ballots, suggestions, changes of souls, memories that",
    "contradict each other, and dead letters. The web page shows the same.",
  ].join("\n"),
  words: ["[TARGET]"],
  options: { limit: LIMIT, full: { about: "The whole calls: a command as a command, a change as a diff" } },
  examples: ["agent-worker pending", "agent-worker pending @review", "agent-worker pending --full"],

  async run({ words: [target], options, terminal, call, print }) {
    const waiting = await call("list-decisions", { target, limit: wholeNumber("-n", options.limit) });
    return print(
      waiting,
      () => waitingText(waiting, options.full ? paintFor(terminal) : undefined) || "Nothing waits for you.\n",
    );
  },
});

/** With `whole`, the whole tool calls. */
function waitingText(waiting: OperationOutput<"list-decisions">, whole: Paint | undefined): string {
  const { approvals, ballots, suggestions, souls, memories, deadLetters } = waiting;
  return [
    section(
      "Tool calls",
      "approve ID, deny ID",
      approvals.map((each) => approvalText(each, whole)),
    ),
    section(
      "Ballots",
      "proposal vote ID OPTION",
      ballots.map(
        ({ id, space, title, options, missing }) =>
          `${id}  ${firstLine(title)} in ${formatSpace(space)}: ${options.map((option) => firstLine(option.label)).join(", ")}` +
          `${missing.includes("user") ? "" : " (no vote of yours is missing)"}\n`,
      ),
    ),
    section(
      "Suggestions",
      "doc accept ID, doc reject ID",
      suggestions.map(
        ({ id, author, file, space, note }) =>
          `${id}  ${author} for ${firstLine(file)} in ${formatSpace(space)}${note === null ? "" : `: ${firstLine(note)}`}\n`,
      ),
    ),
    section(
      "Changes of souls",
      "soul NAME approve ID, soul NAME reject ID",
      souls.map(({ id, agent, observation }) => `${id}  ${agent}: ${firstLine(observation)}\n`),
    ),
    section(
      "Memories that contradict each other",
      "memory NAME keep ID [KEY]",
      memories.map(
        ({ id, agent, entries }) => `${id}  ${agent}: ${entries.map(({ key }) => firstLine(key)).join(", ")}\n`,
      ),
    ),
    section(
      "Dead letters",
      "dead retry ID, dead drop ID",
      deadLetters.map(
        ({ id, agent, reason, message }) =>
          `${id}  ${agent} in ${formatSpace(message.space)}: ${firstLine(reason ?? "no reason is known")}\n`,
      ),
    ),
  ].join("");
}

function section(title: string, decide: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title} (${decide})\n${lines.join("")}`;
}
