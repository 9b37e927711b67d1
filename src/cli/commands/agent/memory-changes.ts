import type { MemoryChangeView } from "../../../contract/personal/memory-changes.ts";
import { actionWords } from "../../arguments/action-words.ts";
import type { Invocation } from "../../invocation.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import type { Terminal } from "../../output/terminal.ts";
import { markedText } from "../../output/untrusted-mark.ts";
import { shortened } from "../../output/visible-text.ts";

const LONGEST = 200;

/** What the guard did when it tidied up the memory of an agent: `agent memory NAME tidy|changes|undo|keep`. */
export async function runMemoryChanges(invocation: Invocation, agent: string, action: string): Promise<number> {
  const { words } = invocation;
  switch (action) {
    case "tidy": {
      actionWords(words, ["NAME", "tidy"]);
      const { changes } = await invocation.call("tidy-memory", { agent });
      const nothing = "There is nothing to tidy up.\n";
      return invocation.print({ agent, changes }, () =>
        changes.length === 0 ? nothing : changeTable(invocation, changes),
      );
    }
    case "changes": {
      actionWords(words, ["NAME", "changes"]);
      const { changes } = await invocation.call("list-memory-changes", { agent });
      const nothing = `Nothing of ${agent} was tidied up yet.\n`;
      return invocation.print({ agent, changes }, () =>
        changes.length === 0 ? nothing : changeTable(invocation, changes),
      );
    }
    case "undo": {
      const [id] = actionWords(words, ["NAME", "undo", "ID"]);
      const change = await invocation.call("undo-memory-change", { id });
      return invocation.print({ agent, change }, () => `Undone: ${whatText(change)}.\n`);
    }
    default: {
      const [, , id = "", key] = words;
      if (words.length < 4) actionWords(words, ["NAME", "keep", "ID"]);
      else actionWords(words, ["NAME", "keep", "ID", "KEY"]);
      const change = await invocation.call("answer-memory-question", { id, keep: key });
      const done =
        change.kept === null ? "Both stay." : `${change.kept} stays; the other one is marked as no longer true.`;
      return invocation.print({ agent, change }, `${done}\n`);
    }
  }
}

/** Says that questions wait, and where they are. */
export function questionNote(agent: string, count: number): string {
  const what = count === 1 ? "1 question waits" : `${count} questions wait`;
  return `${what} for you: agent-worker agent memory ${agent} changes`;
}

function changeTable({ terminal }: Pick<Invocation, "terminal">, changes: readonly MemoryChangeView[]): string {
  const table = formatTable(
    paintFor(terminal),
    ["ID", "AT", "STATE", "WHAT"],
    changes.map((change) => [change.id, change.at, change.state, whatText(change)]),
  );
  const questions = changes.filter(({ state }) => state === "open").map((change) => questionText(terminal, change));
  const undoable = changes.find(({ state }) => state === "done");
  const takeBack =
    undoable === undefined ? "" : `Take one back: agent-worker agent memory ${undoable.agent} undo ${undoable.id}\n`;
  return [table, ...questions, terminal.hint(takeBack)].join("");
}

function whatText({ kind, subject, reason, note, kept }: MemoryChangeView): string {
  switch (kind) {
    case "note":
      return `noted in ${note ?? subject}: ${reason}`;
    case "merged":
      return `set "${subject}" aside: ${reason}`;
    case "promoted":
      return `took "${subject}" out of the archive: ${reason}`;
    case "question":
      return `${reason}${kept === null ? "" : `; "${kept}" stays`}`;
  }
}

function questionText({ hint }: Pick<Terminal, "hint">, { id, agent, entries }: MemoryChangeView): string {
  const lines = entries.map(
    ({ key, text, outside }) => `    ${shortened(key, LONGEST)}: ${markedText(shortened(text, LONGEST), outside)}\n`,
  );
  const [first] = entries;
  const answer = hint(`agent-worker agent memory ${agent} keep ${id} ${first?.key ?? "KEY"}`);
  return `\n  ${id}: which is true?\n${lines.join("")}    ${answer}\n`;
}
