import type { MemoryEntryView } from "../../../contract/memory.ts";
import type { RecalledView } from "../../../contract/memory.ts";
import { actionWords } from "../../arguments/action-words.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { sourceText } from "../../output/untrusted-mark.ts";
import { shortened } from "../../output/visible-text.ts";

const ACTIONS = ["get", "set", "delete", "search", "promote", "archive", "asked", "questions"] as const;
const TIERS = ["core", "working", "archive"] as const;
const VISIBILITIES = ["private", "shareable", "public"] as const;
const SHORT = 80;

export const agentMemory = defineCommand({
  about: [
    "Lists what an agent remembers, or with an action:",
    "  get KEY, set KEY VALUE (- reads standard input), delete KEY",
    "  search TEXT: memories, notes and conversations, the best first",
    "  promote KEY --tier T --visibility WHO: stand for what the agent wrote",
    "  archive: set aside what is old and unused (the daemon does it every day)",
    "  asked, or questions: who asked what about it",
  ].join("\n"),
  words: ["NAME", "[ACTION]", "[KEY]", "[VALUE]"],
  options: {
    tier: { value: "TIER", about: "core, working or archive" },
    visibility: { value: "WHO", about: "For set and promote: private, shareable or public" },
    "share-with": { value: "NAMES", about: "For set and promote: agents that get it when they ask, as bob,carol" },
  },
  examples: [
    "agent-worker agent memory alice",
    'agent-worker agent memory alice set review-style "short and kind"',
    "agent-worker agent memory alice search login",
    "agent-worker agent memory alice promote deploy-day --visibility shareable",
  ],

  async run(invocation) {
    const { options, words } = invocation;
    const [agent = "", action] = words;
    const tier = oneOf("--tier", options.tier, TIERS);
    const visibility = oneOf("--visibility", options.visibility, VISIBILITIES);
    const shareWith = namesIn(options["share-with"]);
    if (action === undefined) {
      const { entries, problems } = await invocation.call("list-memory", { agent, tier });
      if (!invocation.json) {
        for (const { file, line, message } of problems)
          invocation.terminal.note(
            `memory/${file === "." ? "" : file}${line === null ? "" : `:${line}`}: ${message}\n`,
          );
      }
      return invocation.print({ agent, entries, problems }, () => entryTable(invocation, entries));
    }
    switch (oneOf("ACTION", action, ACTIONS)) {
      case "get": {
        const [key] = actionWords(words, ["NAME", "get", "KEY"]);
        const { entry } = await invocation.call("get-memory", { agent, key });
        return invocation.print({ agent, entry }, `${valueText(entry)}\n`);
      }
      case "set": {
        const [key, value] = actionWords(words, ["NAME", "set", "KEY", "VALUE"]);
        const text = await textArgument(value, invocation.terminal);
        const { entry } = await invocation.call("set-memory", { agent, key, value: text, tier, visibility, shareWith });
        return invocation.print({ agent, entry }, `${agent} remembers ${entry.key}.\n`);
      }
      case "delete": {
        const [key] = actionWords(words, ["NAME", "delete", "KEY"]);
        const { entry } = await invocation.call("forget-memory", { agent, key });
        return invocation.print({ agent, entry }, `${agent} forgot ${entry.key}.\n`);
      }
      case "search": {
        const [query] = actionWords(words, ["NAME", "search", "TEXT"]);
        const { entries } = await invocation.call("search-memory", { agent, query, tier });
        return invocation.print({ agent, entries }, () => recalledTable(invocation, entries));
      }
      case "promote": {
        const [key] = actionWords(words, ["NAME", "promote", "KEY"]);
        const { entry } = await invocation.call("promote-memory", { agent, key, tier, visibility, shareWith });
        return invocation.print({ agent, entry }, `${entry.key} is yours now: ${entry.tier}, ${visibleTo(entry)}.\n`);
      }
      case "archive": {
        actionWords(words, ["NAME", "archive"]);
        const { entries, conversations } = await invocation.call("archive-memory", { agent });
        const moved = [...entries, ...conversations];
        const text = moved.length === 0 ? "Nothing is old enough." : `Set aside: ${moved.join(", ")}.`;
        return invocation.print({ agent, entries, conversations }, `${text}\n`);
      }
      case "asked":
      case "questions": {
        actionWords(words, ["NAME", action]);
        const { questions } = await invocation.call("list-questions", { agent });
        return invocation.print({ agent, questions }, () => {
          if (questions.length === 0) return `Nobody asked about ${agent}.\n`;
          const rows = questions.map(({ at, asker, space, shared, query }) => [
            at,
            asker,
            formatSpace(space),
            `${shared}`,
            query,
          ]);
          return formatTable(paintFor(invocation.terminal), ["AT", "WHO", "IN", "SHARED", "ASKED"], rows);
        });
      }
    }
  },
});

function recalledTable(
  { terminal, words }: Pick<Invocation, "terminal" | "words">,
  entries: readonly RecalledView[],
): string {
  if (entries.length === 0) return `${words[0]} remembers nothing of it.\n`;
  return formatTable(
    paintFor(terminal),
    ["KIND", "KEY", "TIER", "FROM", "TEXT"],
    entries.map((entry) => {
      return [entry.kind, entry.key, entry.tier, sourceText(entry), shortened(valueText(entry), SHORT)];
    }),
  );
}

function entryTable(
  { terminal, words }: Pick<Invocation, "terminal" | "words">,
  entries: readonly MemoryEntryView[],
): string {
  if (entries.length === 0) return `${words[0]} remembers nothing yet.\n`;
  return formatTable(
    paintFor(terminal),
    ["KEY", "TIER", "VISIBLE", "FROM", "VALUE"],
    entries.map((entry) => [
      entry.key,
      entry.tier,
      visibleTo(entry),
      sourceText(entry),
      shortened(valueText(entry), SHORT),
    ]),
  );
}

/** `--share-with ""` means nobody. */
function namesIn(written: string | undefined): string[] | undefined {
  return written?.split(/[\s,]+/).filter((name) => name !== "");
}

function visibleTo({ visibility, sharedWith }: MemoryEntryView): string {
  return sharedWith.length === 0 ? visibility : `${visibility}, ${sharedWith.join(", ")}`;
}

function valueText({ value }: Pick<MemoryEntryView, "value">): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
