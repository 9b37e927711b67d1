import * as contract from "../../contract/personal/memory-changes.ts";
import { PERSON } from "../../domain/message/message.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import { findContradictions } from "../../guard/consolidation/contradicting-entries.ts";
import { findLongDays, type NotedDay } from "../../guard/consolidation/noted-days.ts";
import { findRecalledOften } from "../../guard/consolidation/recalled-entries.ts";
import { findRepeated } from "../../guard/consolidation/repeated-entries.ts";
import { summariseDay } from "../../guard/consolidation/summarise-day.ts";
import { summaryModel } from "../../guard/summary/summary-model.ts";
import { sendersOf } from "../../guard/summary/summary-source.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MemoryEntry, PersonalContext } from "../../ports/personal-context.ts";
import type { MemoryChange, QuestionedEntry } from "../../ports/store/memory.ts";
import { persons } from "../core/access.ts";
import { proposal, type Read } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { toMemoryChangeView } from "./view.ts";

type NewChange = Pick<MemoryChange, "kind" | "state" | "subject" | "reason" | "details">;

/** So many changes of an agent are remembered, so that none is made or asked again. */
const MOST_CHANGES = 10_000;
const MOST_QUESTIONS = 5;
const TEXT_CHARS = 600;

/**
 * Tidies up the memory of an agent. Every change is listed and can be undone; no text of an entry is changed, so its
 * provenance stays. Nothing becomes core memory, and nothing of core memory or of what a person wrote is changed. What was
 * undone or answered before is not done or asked again.
 */
export const tidyMemory = proposal(contract.tidyMemory, {
  access: persons,

  async prepare({ agent: named }, ctx) {
    const owner = await personalOwner(ctx, named);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const known = await ctx.read(async (store) => ({
      changes: await store.memories.changes({ agent, limit: MOST_CHANGES }),
      uses: await store.memories.useCounts(agent),
      clearedAt: await store.conversations.clearedAt(agent),
      seenUntrusted: await store.memories.hasSeenUntrusted(agent, agent),
    }));
    const seen = new Set(known.changes.map(identityOf));
    const noted = new Set(known.changes.flatMap(({ kind, subject }) => (kind === "note" ? [subject] : [])));
    const isNew = (change: NewChange): boolean => !seen.has(identityOf(change));
    const made: NewChange[] = [];

    for (const day of await findLongDays(context, { noted, clearedAt: known.clearedAt, now: ctx.now })) {
      const note = await writeNote(ctx, agent, context, day, known.seenUntrusted);
      if (!note.ok) return note;
      made.push(note.value);
    }
    const { entries } = await context.memory.list();
    const moves = [...mergesOf(entries), ...promotionsOf(findRecalledOften(entries, known.uses, ctx.now))];
    for (const { change, tier } of moves.filter(({ change: each }) => isNew(each))) {
      const moved = await context.memory.adjust(change.details.entry?.ref ?? "", { tier });
      if (!moved.ok) return moved;
      made.push(change);
    }
    const open = known.changes.filter(({ state }) => state === "open").length;
    const questions = findContradictions((await context.memory.list()).entries)
      .map(questionOf)
      .filter(isNew);
    return ok({ agent, made: [...made, ...questions.slice(0, Math.max(0, MOST_QUESTIONS - open))] });
  },

  async execute(_data, ctx, { agent, made }) {
    const changes = made.map((change) => ({ ...change, id: ctx.newId("chg"), agent, at: ctx.now, decidedAt: null }));
    for (const change of changes) await ctx.store.memories.addChange(change);
    await ctx.store.memories.setTidied(agent, ctx.now);
    if (changes.length > 0) await ctx.emit({ type: "tidying.finished", agent, changes: changes.length });
    return ok({ agent, changes: changes.map(toMemoryChangeView) });
  },
});

/** The same for a change that was made before and for the same change now. */
function identityOf({ kind, subject, details }: NewChange): string {
  const about = (details.entries ?? []).map(({ ref }) => ref).toSorted();
  return JSON.stringify([kind, details.entry?.ref ?? subject, ...about]);
}

async function writeNote(
  ctx: Read,
  agent: string,
  context: PersonalContext,
  { day, messages }: NotedDay,
  seenUntrusted: boolean,
): Promise<Result<NewChange, Refusal>> {
  const definition = ctx.services.definitions.agent(agent);
  const subject = definition && { definition, mailbox: agent, space: agent, run: null };
  const model = subject === undefined ? null : summaryModel(ctx.services.askGuardModel, subject, "consolidate");
  const { text, by } = await summariseDay(messages, model, ctx.now);
  const senders = sendersOf(messages);
  // What the agent said may repeat what others told it.
  const outside = seenUntrusted || senders.some((sender) => sender !== agent && sender !== PERSON);
  const heard = senders.filter((sender) => sender !== agent);
  const note = await context.notes.add(ctx.services.redact(text), {
    title: `Conversation of ${day}`,
    writer: { source: agent, origin: { by: agent, run: null, space: agent, heard, outside } },
  });
  if (!note.ok) return note;
  const written = await context.notes.read(note.value.name);
  if (!written.ok) return written;
  const { content } = written.value;
  return ok({
    kind: "note",
    state: "done",
    subject: day,
    reason: `${messages.length} direct messages of ${day}, summarised by ${by}`,
    details: { note: { name: note.value.name, text: content } },
  });
}

interface Move {
  readonly change: NewChange;
  readonly tier: "working" | "archive";
}

function mergesOf(entries: readonly MemoryEntry[]): readonly Move[] {
  return findRepeated(entries).map(({ entry, by }) => ({
    tier: "archive",
    change: {
      kind: "merged",
      state: "done",
      subject: entry.key,
      reason: `"${by.key}" says the same`,
      details: { entry: { ref: refOf(entry), tier: entry.tier }, entries: [questioned(entry), questioned(by)] },
    },
  }));
}

function promotionsOf(often: ReturnType<typeof findRecalledOften>): readonly Move[] {
  return often.map(({ entry, times }) => ({
    tier: "working",
    change: {
      kind: "promoted",
      state: "done",
      subject: entry.key,
      reason: `it was recalled ${times} times`,
      details: { entry: { ref: refOf(entry), tier: entry.tier }, entries: [questioned(entry)] },
    },
  }));
}

function questionOf({ first, second }: ReturnType<typeof findContradictions>[number]): NewChange {
  return {
    kind: "question",
    state: "open",
    subject: second.key,
    reason: `"${first.key}" and "${second.key}" contradict each other`,
    details: { entries: [questioned(first), questioned(second)] },
  };
}

function questioned(entry: MemoryEntry): QuestionedEntry {
  const text = valueText(entry).slice(0, TEXT_CHARS).toWellFormed();
  return { ref: refOf(entry), key: entry.key, text, outside: isUntrusted(entry) };
}

function refOf({ id, key }: MemoryEntry): string {
  return id ?? key;
}
