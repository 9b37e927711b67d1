import * as contract from "../../contract/memory.ts";
import { checkNovelty } from "../../domain/recall/novelty.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import { knownText } from "../../guard/memory/memory-terms.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MemoryEntry, MemoryMeta, PersonalContext, Visibility } from "../../ports/personal-context.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Read } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { writerOf } from "../core/writer.ts";
import { checkTier, memoryPermit, replacePermit } from "./memory-permit.ts";
import { validateMemory } from "./validate-memory.ts";
import { shareNames } from "./named-agent.ts";
import { toMemoryEntryView } from "./view.ts";

/**
 * Stores a memory under a key, in place of an earlier one. Its source and provenance come from the system, never from the
 * request. A memory of an agent must be new, and stays private when it may come from untrusted content: see
 * docs/decisions/0029.
 */
export const setMemory = proposal(contract.setMemory, {
  access: everyone,

  async prepare(data, ctx) {
    const { caller, services } = ctx;
    const allowed = checkTier(caller, data.tier);
    if (!allowed.ok) return allowed;
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const key = services.redact(data.key);
    const value = redactValue(services.redact, key, data.value);
    const tier = data.tier === undefined ? {} : { tier: data.tier };
    const names = await shareNames(ctx, agent, data.shareWith);
    if (!names.ok) return names;
    if (caller.kind !== "agent") {
      const visibility = data.visibility === undefined ? {} : { visibility: data.visibility };
      const sharedWith = names.value === undefined ? {} : { sharedWith: names.value };
      const meta = { source: callerName(caller), permit: memoryPermit(caller), ...tier, ...visibility, ...sharedWith };
      const stored = await context.memory.set(key, value, meta);
      return stored.ok ? ok({ agent, entry: stored.value, heldBack: false }) : stored;
    }
    const { meta, heldBack } = metaOf(ctx, agent, data.visibility, names.value);
    const outside = meta.origin?.outside === true;
    const novel = await checkNovel(context, { key, text: String(value), named: !data.unnamed, outside });
    if (!novel.ok) return novel;
    const valid = await validateMemory(ctx, { key, text: String(value), outside });
    if (!valid.ok) return valid;
    const effect = ctx.fileEffect((entry: MemoryEntry) => ({ agent, entry, heldBack }));
    const stored = await context.memory.set(key, value, { ...meta, ...tier, effect });
    return stored.ok ? ok({ agent, entry: stored.value, heldBack }) : stored;
  },

  async execute(_data, ctx, { agent, entry, heldBack }) {
    await ctx.emit({ type: "memory.stored", agent, key: entry.key });
    return ok({ agent, entry: toMemoryEntryView(entry), heldBack });
  },
});

function metaOf(
  ctx: Read,
  agent: string,
  requested: Visibility | undefined,
  shareWith: readonly string[] | undefined,
): { readonly meta: MemoryMeta; readonly heldBack: boolean } {
  const writer = writerOf(ctx, agent);
  const outside = writer.origin?.outside === true;
  const visibility = outside ? "private" : requested;
  const meta = {
    ...writer,
    permit: replacePermit(ctx.caller, outside),
    ...(visibility === undefined ? {} : { visibility }),
    ...(outside || shareWith !== undefined ? { sharedWith: outside ? [] : (shareWith ?? []) } : {}),
  };
  const wantsMore = (requested !== undefined && requested !== "private") || (shareWith ?? []).length > 0;
  return { meta, heldBack: outside && wantsMore };
}

interface NewMemory {
  readonly key: string;
  readonly text: string;
  readonly named: boolean;
  /** The run has read untrusted content. */
  readonly outside: boolean;
}

async function checkNovel(
  { memory }: PersonalContext,
  { key, text, named, outside }: NewMemory,
): Promise<Result<undefined, Refusal>> {
  const { entries } = await memory.list();
  // A memory may be reworded under its own key; only the same text is a repetition.
  const others = entries.filter((entry) => entry.key !== key || knownText(entry).text.trim() === text.trim());
  const novelty = checkNovelty(text, named, others.map(knownText));
  switch (novelty.kind) {
    case "new":
      return ok(undefined);
    case "empty":
      return refuse("invalid", "Not remembered: there is nothing in it.", { hint: "Say what is worth remembering." });
    case "trivial":
      return refuse("invalid", "Not remembered: it would tell you nothing later.", {
        hint: "Remember a fact, a decision or a preference, in a sentence that can be understood by itself.",
      });
    case "repeat":
      return refuseRepeat(others[novelty.of], outside);
  }
}

/** A key may repeat untrusted content: a run that has read none is told only the id. */
function refuseRepeat(existing: MemoryEntry | undefined, outside: boolean) {
  const id = existing?.id ?? null;
  const hidden = existing !== undefined && isUntrusted(existing) && !outside;
  const key = hidden ? null : (existing?.key ?? "");
  const change = hidden ? "" : " To change that memory, store the new wording under its key.";
  return refuse("conflict", `Not remembered again: "${key ?? id ?? "a memory"}" says so already.`, {
    hint: `There is nothing to do.${change}`,
    details: { key, id },
  });
}

/** Redacts a value together with its key: a value called password is a secret, whatever it looks like. */
function redactValue<V extends string | number | boolean>(redact: (text: string) => string, key: string, value: V) {
  if (typeof value !== "string") return value;
  const prefix = `${key}: `;
  const line = redact(prefix + value);
  return line.startsWith(prefix) ? line.slice(prefix.length) : redact(value);
}
