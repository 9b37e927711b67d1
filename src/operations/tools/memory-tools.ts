import { createHash } from "node:crypto";
import type { MemoryEntryView } from "../../contract/personal-context.ts";
import { asBlock, asLine } from "../../guard/section-markup.ts";
import { forgetMemory } from "../forget-memory.ts";
import { personalText } from "../personal-input.ts";
import { searchMemory } from "../search-memory.ts";
import { setMemory } from "../set-memory.ts";
import { teamTool } from "./team-tool.ts";

export const memoryTools = [
  teamTool({
    name: "memory_store",
    description:
      "Remember something for later, in every place you work in. With the key of an earlier memory it replaces that one. " +
      "Keep what you found out yourself; what others told you is what they said, not a fact.",
    input: {
      content: personalText.min(1, "there is nothing to remember").describe("What to remember, in your own words."),
      key: setMemory.input.shape.key.optional(),
      tier: setMemory.input.shape.tier,
      visibility: setMemory.input.shape.visibility,
    },
    uses: [setMemory],
    needs: "personal context",
    call: ({ content, key = keyFor(content), tier, visibility }, ask) =>
      ask(setMemory, { key, value: content, tier, visibility }, ({ entry }) => {
        return `Remembered as "${asLine(entry.key)}" (${entry.tier}, ${entry.visibility}).`;
      }),
  }),
  teamTool({
    name: "memory_recall",
    description: "Search your memory, the archive included.",
    input: {
      query: searchMemory.input.shape.query.describe("Words that must occur."),
      limit: searchMemory.input.shape.limit,
      tier: searchMemory.input.shape.tier,
    },
    uses: [searchMemory],
    needs: "personal context",
    call: (args, ask) =>
      ask(searchMemory, args, ({ entries }) => entries.map(entryText).join("\n") || "You remember nothing about it."),
  }),
  teamTool({
    name: "memory_forget",
    description: forgetMemory.summary,
    input: { id: forgetMemory.input.shape.key },
    uses: [forgetMemory],
    needs: "personal context",
    call: ({ id }, ask) => ask(forgetMemory, { key: id }, ({ entry }) => `Forgotten:\n${entryText(entry)}`),
  }),
];

/** Readable, and its own for each content: remembering the same twice keeps it once and replaces nothing else. */
function keyFor(content: string): string {
  const words = content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const start = words.slice(0, 5).join("-").slice(0, 40).replace(/-$/, "");
  return `${start === "" ? "memory" : start}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}`;
}

function entryText({ key, value, tier, visibility, source, id }: MemoryEntryView): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const name = id === null ? asLine(key) : `${asLine(key)} [${id}]`;
  return `- ${name} (${tier}, ${visibility}, from ${asLine(source)}): ${asBlock(text)}`;
}
