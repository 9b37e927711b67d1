import { createHash } from "node:crypto";
import type {
  KnowledgeAnswer,
  MemoryEntryView,
  QuestionView,
  RecalledView,
  SetMemoryOutput,
} from "../../contract/memory.ts";
import { personalText } from "../../contract/memory.ts";
import { UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import { validityText } from "../../domain/recall/validity.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import { cutToLength } from "../../guard/context/estimate-tokens.ts";
import { asBlock, asLine } from "../../guard/context/section-markup.ts";
import { dateText } from "../../guard/memory/memory-item.ts";
import { teamTool } from "../tools/team-tool.ts";
import { askAgent } from "./ask-agent.ts";
import { listQuestions } from "./list-questions.ts";
import { forgetMemory } from "./forget-memory.ts";
import { searchMemory } from "./search-memory.ts";
import { setMemory } from "./set-memory.ts";

/** Limit of each result when several are requested; a single one is shown completely. */
const MAX_CHARS = 2000;
const MOST_QUESTIONS = 20;

export const memoryTools = [
  teamTool({
    name: "memory_store",
    description:
      "Remember a fact, a decision or a preference for later, in a sentence that can be understood alone. " +
      "The key of an earlier memory overwrites it.",
    input: {
      content: personalText.min(1, "there is nothing to remember"),
      key: setMemory.input.shape.key.optional(),
      tier: setMemory.input.shape.tier.describe("Default: working. Core is for persons to set."),
      visibility: setMemory.input.shape.visibility.describe("Default: private."),
      share_with: setMemory.input.shape.shareWith.describe("Agents that are told it when they ask."),
      replaces: setMemory.input.shape.replaces.describe("Id of a memory that is no longer true."),
    },
    uses: [setMemory],
    returnsUntrusted: false,
    call: ({ content, key, tier, visibility, share_with: shareWith, replaces }, ask) =>
      ask(
        setMemory,
        {
          key: key ?? keyFor(content),
          value: content,
          tier,
          visibility,
          shareWith,
          replaces,
          unnamed: key === undefined,
        },
        ({ entry, heldBack, similar }) => {
          const why = heldBack ? " It may come from what others said, so it stays private; a person can share it." : "";
          const names = entry.sharedWith.length === 0 ? "" : `, shared with ${entry.sharedWith.join(", ")}`;
          return `Remembered as "${asLine(entry.key)}" (${entry.tier}, ${entry.visibility}${names}).${why}${similarText(similar)}`;
        },
      ),
  }),
  teamTool({
    name: "memory_recall",
    description: "Search your memory, notes and direct messages, in plain words. The best comes first.",
    input: {
      query: searchMemory.input.shape.query,
      limit: searchMemory.input.shape.limit.describe("A single one is shown whole."),
      tier: searchMemory.input.shape.tier,
    },
    uses: [searchMemory],
    call: (args, ask) =>
      ask(searchMemory, args, ({ agent, entries }) => {
        const most = args.limit === 1 ? Number.POSITIVE_INFINITY : MAX_CHARS;
        const text = entries.map((entry) => recalledText(entry, most)).join("\n") || "You remember nothing about it.";
        return { text, data: { agent, entries }, untrusted: entries.some(({ outside }) => outside) };
      }),
  }),
  teamTool({
    name: "memory_forget",
    description: "Forget one memory.",
    input: { id: forgetMemory.input.shape.key },
    uses: [forgetMemory],
    returnsUntrusted: false,
    // It does not say what was forgotten: that may be untrusted content which this run has not read.
    call: ({ id }, ask) =>
      ask(forgetMemory, { key: id }, ({ agent }) => ({ text: `Forgotten: ${asLine(id)}`, data: { agent, id } })),
  }),
  teamTool({
    name: "ask_agent",
    description:
      "Ask what another agent knows, without waking it: a summary of what it shares with you, and its sources. It and " +
      "people see what you asked. Your own name without a query: who asked about you.",
    input: { agent: askAgent.input.shape.agent, query: askAgent.input.shape.query.describe("").optional() },
    uses: [askAgent, listQuestions],
    call: ({ agent: named, query }, ask) =>
      query === undefined
        ? ask(listQuestions, { agent: named, limit: MOST_QUESTIONS }, ({ questions }) => questionsText(questions))
        : ask(askAgent, { agent: named, query }, summaryText),
  }),
];

function similarText(similar: SetMemoryOutput["similar"]): string {
  if (similar === null) return "";
  const name = asLine(similar.key ?? similar.id ?? "");
  const id = similar.id === null || similar.key === null ? "" : ` [${similar.id}]`;
  return ` "${name}"${id} is about the same thing: it may repeat or contradict this. If it is no longer true, store this again with replaces: ${asLine(similar.id ?? name)}.`;
}

function summaryText({ agent, summary, sources }: KnowledgeAnswer): string {
  if (sources.length === 0) return `${agent} shares nothing about it. Ask in the channel if it matters.`;
  const from = sources.map(({ key, day }) => `- ${asLine(key)} (${day ?? "written by hand"})`);
  return `${agent} shares:\n  ${asBlock(summary)}\nFrom its memory:\n${from.join("\n")}`;
}

function questionsText(questions: readonly QuestionView[]): string {
  if (questions.length === 0) return "Nobody asked about you.";
  return questions.map(({ at, asker, query }) => `- ${at} ${asLine(asker)}: ${asLine(query)}`).join("\n");
}

/** Returns a readable key that is unique to the content: storing the same content twice stores one memory. */
function keyFor(content: string): string {
  const words = content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const start = words.slice(0, 5).join("-").slice(0, 40).replace(/-$/, "");
  return `${start === "" ? "memory" : start}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}`;
}

function recalledText(found: RecalledView, most: number): string {
  const { kind, tier, visibility, source, outside, from, why } = found;
  const whole = valueText(found);
  const text =
    whole.length > most ? `${cutToLength(whole, most)} ... (recall it alone, with limit 1, for the rest)` : whole;
  const about = kind === "memory" ? [tier, visibility, `from ${asLine(source)}`] : [kind];
  const facts = [
    dateText(found.updated),
    asLine(validityText(found)),
    ...about,
    outside ? UNTRUSTED_MARK : "",
    asLine(from ?? ""),
  ].filter((fact) => fact !== "");
  return `- ${nameText(found)} (${facts.join(", ")}; found by ${asLine(why)}): ${asBlock(text)}`;
}

function nameText({ key, id }: Pick<MemoryEntryView, "key" | "id">): string {
  return id === null ? asLine(key) : `${asLine(key)} [${id}]`;
}
