import type { MemoryEntryView } from "../../../contract/personal-context.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { oneOf } from "../../one-of.ts";
import { paintFor } from "../../paint.ts";
import { formatTable } from "../../table.ts";
import { takeWords } from "../../take-words.ts";
import { shortened } from "../../visible-text.ts";

const ACTIONS = ["get", "set", "delete", "search"] as const;
const TIERS = ["core", "working", "archive"] as const;
const VISIBILITIES = ["private", "shareable", "public"] as const;
const SHORT = 80;

export const agentMemory = defineCommand({
  about: [
    "Lists what an agent remembers, or with an action:",
    "  get KEY, set KEY VALUE (- reads standard input), delete KEY, search TEXT",
  ].join("\n"),
  words: ["NAME", "[ACTION]", "[KEY]", "[VALUE]"],
  options: {
    tier: { value: "TIER", about: "core, working or archive" },
    visibility: { value: "WHO", about: "For set: private, shareable or public" },
  },
  examples: [
    "agent-worker agent memory alice",
    'agent-worker agent memory alice set review-style "short and kind"',
    "agent-worker agent memory alice search login",
  ],

  async run(invocation) {
    const { options, words } = invocation;
    const [agent = "", action] = words;
    const tier = oneOf("--tier", options.tier, TIERS);
    if (action === undefined) {
      const { entries, problems } = await invocation.ask("list-memory", { agent, tier });
      return invocation.answer({ agent, entries, problems }, () => entryTable(invocation, entries));
    }
    switch (oneOf("ACTION", action, ACTIONS)) {
      case "get": {
        const [key] = takeWords(words, ["NAME", "get", "KEY"]);
        const { entry } = await invocation.ask("get-memory", { agent, key });
        return invocation.answer({ agent, entry }, `${valueText(entry)}\n`);
      }
      case "set": {
        const [key, value] = takeWords(words, ["NAME", "set", "KEY", "VALUE"]);
        const visibility = oneOf("--visibility", options.visibility, VISIBILITIES);
        const text = value === "-" ? await invocation.terminal.stdin() : value;
        const { entry } = await invocation.ask("set-memory", { agent, key, value: text, tier, visibility });
        return invocation.answer({ agent, entry }, `${agent} remembers ${entry.key}.\n`);
      }
      case "delete": {
        const [key] = takeWords(words, ["NAME", "delete", "KEY"]);
        const { entry } = await invocation.ask("forget-memory", { agent, key });
        return invocation.answer({ agent, entry }, `${agent} forgot ${entry.key}.\n`);
      }
      case "search": {
        const [query] = takeWords(words, ["NAME", "search", "TEXT"]);
        const { entries } = await invocation.ask("search-memory", { agent, query, tier });
        return invocation.answer({ agent, entries }, () => entryTable(invocation, entries));
      }
    }
  },
});

function entryTable(
  { terminal, words }: Pick<Invocation, "terminal" | "words">,
  entries: readonly MemoryEntryView[],
): string {
  if (entries.length === 0) return `${words[0]} remembers nothing${words[1] === "search" ? " of it" : " yet"}.\n`;
  return formatTable(
    paintFor(terminal),
    ["KEY", "TIER", "WHO", "FROM", "VALUE"],
    entries.map((entry) => [entry.key, entry.tier, entry.visibility, entry.source, shortened(valueText(entry), SHORT)]),
  );
}

function valueText({ value }: MemoryEntryView): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
