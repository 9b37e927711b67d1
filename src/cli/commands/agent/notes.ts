import { actionWords } from "../../arguments/action-words.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { markedText } from "../../output/untrusted-mark.ts";

export const agentNotes = defineCommand({
  about: [
    "Lists the notes of an agent, newest first, or with an action:",
    "  read FILE, add TEXT (- reads standard input)",
  ].join("\n"),
  words: ["NAME", "[ACTION]", "[TEXT]"],
  options: {
    limit: { short: "n", value: "N", about: "How many to list at most (20)" },
    title: { value: "TITLE", about: "For add: what the note is called" },
  },
  examples: ["agent-worker agent notes alice", 'agent-worker agent notes alice add "The login has no tests."'],

  async run(invocation) {
    const { options, words, terminal } = invocation;
    const [agent = "", action] = words;
    if (action === undefined) {
      const limit = wholeNumber("--limit", options.limit);
      const { notes } = await invocation.call("list-notes", { agent, limit });
      return invocation.print({ agent, notes }, () => {
        if (notes.length === 0) return `${agent} has no notes yet.\n`;
        const rows = notes.map(({ day, name, title, outside }) => [day ?? "-", name, markedText(title, outside)]);
        return formatTable(paintFor(terminal), ["DAY", "FILE", "TITLE"], rows);
      });
    }
    if (oneOf("ACTION", action, ["read", "add"]) === "read") {
      const [name] = actionWords(words, ["NAME", "read", "FILE"]);
      const note = await invocation.call("read-note", { agent, name });
      return invocation.print(note, () => `${note.content.trimEnd()}\n`);
    }
    const [word] = actionWords(words, ["NAME", "add", "TEXT"]);
    const text = await textArgument(word, terminal);
    const added = await invocation.call("add-note", { agent, text, title: options.title });
    return invocation.print(added, `Noted in ${added.note.name}.\n`);
  },
});
