import type { MemoryEntryView, RecalledView, SetMemoryOutput } from "../../../contract/memory.ts";
import { validityText } from "../../../domain/recall/validity.ts";
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
import { questionNote, runMemoryChanges } from "./memory-changes.ts";

const ACTIONS = [
  "get",
  "set",
  "delete",
  "search",
  "promote",
  "archive",
  "asked",
  "questions",
  "tidy",
  "changes",
  "undo",
  "keep",
] as const;
const TIERS = ["core", "working", "archive"] as const;
const VISIBILITIES = ["private", "shareable", "public"] as const;
const SHORT = 80;
const ARCHIVED_AT_ONCE = 200;
/** More names than these are only counted. */
const LISTED = 100;

export const agentMemory = defineCommand({
  about: [
    "Lists what an agent remembers, or with an action:",
    "  get KEY, set KEY VALUE (- reads standard input), delete KEY",
    "  search TEXT: memories, notes and conversations, the best first",
    "  promote KEY --tier T --visibility WHO: stand for what the agent wrote",
    "  archive: set aside what is old and unused (the daemon does it every day)",
    "  asked, or questions: who asked what about it",
    "  tidy: note long days, set repeated memories aside, find contradictions (the daemon does it once a day)",
    "  changes: what tidying up did, and what it asks you",
    "  undo ID: take one of these changes back",
    "  keep ID [KEY]: say which of two contradicting memories is true, or that both are",
  ].join("\n"),
  words: ["NAME", "[ACTION]", "[KEY]", "[VALUE]"],
  options: {
    tier: { value: "TIER", about: "core, working or archive" },
    visibility: { value: "WHO", about: "For set and promote: private, shareable or public" },
    replaces: {
      value: "ID",
      about: "For set: the id or key of a memory that is no longer true; it can still be found",
    },
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
      const { changes } = await invocation.call("list-memory-changes", { agent, state: "open" });
      const questions =
        changes.length === 0 ? "" : invocation.terminal.hint(`\n${questionNote(agent, changes.length)}\n`);
      const shown = { agent, entries, problems, questions: changes };
      return invocation.print(shown, () => `${entryTable(invocation, entries)}${questions}`);
    }
    switch (oneOf("ACTION", action, ACTIONS)) {
      case "get": {
        const [key] = actionWords(words, ["NAME", "get", "KEY"]);
        const { entry } = await invocation.call("get-memory", { agent, key });
        // Beside the value, so that whoever reads only the value gets nothing else.
        if (entry.validUntil !== null && !invocation.json) {
          invocation.terminal.note(`${key} is ${validityText(entry)}:\n`);
        }
        return invocation.print({ agent, entry }, () => `${valueText(entry)}\n`);
      }
      case "set": {
        const [key, value] = actionWords(words, ["NAME", "set", "KEY", "VALUE"]);
        const text = await textArgument(value, invocation.terminal);
        const { replaces } = options;
        const stored = await invocation.call("set-memory", {
          agent,
          key,
          value: text,
          tier,
          visibility,
          shareWith,
          replaces,
        });
        const { entry, similar, replaced } = stored;
        return invocation.print(
          { agent, entry, similar, replaced },
          `${agent} remembers ${entry.key}.${replaced === null ? "" : ` It replaces ${replaced.key}.`}\n${similarText(agent, entry, similar)}`,
        );
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
        const { entries, conversations } = await archiveInParts(invocation, agent);
        return invocation.print({ agent, entries, conversations }, `${archivedText(entries, conversations)}\n`);
      }
      case "tidy":
      case "changes":
      case "undo":
      case "keep":
        return runMemoryChanges(invocation, agent, action);
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

/** One call sets aside a part, so that the person sees how far it is. */
async function archiveInParts(invocation: Invocation, agent: string) {
  const entries: string[] = [];
  for (;;) {
    const part = await invocation.call("archive-memory", { agent, limit: ARCHIVED_AT_ONCE });
    entries.push(...part.entries);
    if (part.left === 0 || part.entries.length === 0) return { entries, conversations: part.conversations };
    const all = (entries.length + part.left).toLocaleString("en");
    if (!invocation.json) invocation.terminal.note(`${entries.length.toLocaleString("en")} of ${all} set aside\n`);
  }
}

function archivedText(entries: readonly string[], conversations: readonly string[]): string {
  const moved = [...entries, ...conversations];
  if (moved.length === 0) return "Nothing is old enough.";
  if (moved.length <= LISTED) return `Set aside: ${moved.join(", ")}.`;
  return `Set aside ${entries.length.toLocaleString("en")} memories and ${conversations.length} days of conversation.`;
}

function similarText(agent: string, { key }: MemoryEntryView, similar: SetMemoryOutput["similar"]): string {
  if (similar === null) return "";
  const name = similar.key ?? similar.id ?? "";
  return `${name} is about the same thing. If it is no longer true, say so with the same text: agent-worker agent memory ${agent} set ${key} TEXT --replaces ${name}\n`;
}

function recalledTable(
  { terminal, words }: Pick<Invocation, "terminal" | "words">,
  entries: readonly RecalledView[],
): string {
  if (entries.length === 0) return `${words[0]} remembers nothing of it.\n`;
  return formatTable(
    paintFor(terminal),
    ["KIND", "KEY", "DATE", "TIER", "FROM", "TEXT", "FOUND BY"],
    entries.map((entry) => [
      entry.kind,
      entry.key,
      dayText(entry),
      tierText(entry),
      sourceText(entry),
      shortened(valueText(entry), SHORT),
      entry.why,
    ]),
  );
}

function entryTable(
  { terminal, words }: Pick<Invocation, "terminal" | "words">,
  entries: readonly MemoryEntryView[],
): string {
  if (entries.length === 0) return `${words[0]} remembers nothing yet.\n`;
  return formatTable(
    paintFor(terminal),
    ["KEY", "DATE", "TIER", "VISIBLE", "FROM", "VALUE"],
    entries.map((entry) => [
      entry.key,
      dayText(entry),
      tierText(entry),
      visibleTo(entry),
      sourceText(entry),
      shortened(valueText(entry), SHORT),
    ]),
  );
}

/** Empty for an entry that was written by hand. */
function dayText({ updated }: Pick<MemoryEntryView, "updated">): string {
  return updated?.slice(0, "YYYY-MM-DD".length) ?? "";
}

function tierText({ tier, validUntil, replaces }: Pick<MemoryEntryView, "tier" | "validUntil" | "replaces">): string {
  if (validUntil !== null) return `${tier}, until ${validUntil.slice(0, "YYYY-MM-DD".length)}`;
  return replaces === null ? tier : `${tier}, current`;
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
