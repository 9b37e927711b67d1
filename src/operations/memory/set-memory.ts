import * as contract from "../../contract/memory.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MemoryEntry, MemoryMeta, PersonalContext, Visibility } from "../../ports/personal-context.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Read } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { writerOf } from "../core/writer.ts";
import { checkTier, memoryPermit, replacePermit } from "./memory-permit.ts";
import { compareMemory, type Comparison } from "./similar-memory.ts";
import { toMemoryEntryView } from "./view.ts";

/**
 * Stores a memory under a key, in place of an earlier one. Its source and provenance come from the system, never from the
 * request. A memory of an agent must be new, and stays private when it may come from untrusted content: see
 * docs/decisions/0029. The answer names another memory that it may repeat or contradict. A memory that it replaces stays
 * in its file and can be found: see docs/decisions/0059.
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
    const { meta, heldBack } = metaOf(ctx, agent, data.visibility);
    const outside = meta.origin?.outside === true;
    const replaced = await findReplaced(context, key, data.replaces, meta);
    if (!replaced.ok) return replaced;

    const compared = compareMemory(await context.memory.list(), { key, text: String(value), named: !data.unnamed });
    if (caller.kind === "agent") {
      const novel = checkNovel(compared, outside, replaced.value);
      if (!novel.ok) return novel;
    }
    const similar = compared.similar?.key === replaced.value?.key ? undefined : compared.similar;
    const named = (entry: MemoryEntry | undefined) =>
      entry === undefined ? null : nameOf(entry, caller.kind === "agent" && !outside);
    const names = { similar: named(similar), replaced: named(replaced.value) };
    const prepared = (entry: MemoryEntry) => ({ agent, entry, heldBack, ...names });
    const effect = caller.kind === "agent" ? ctx.fileEffect(prepared) : undefined;
    const stored = await context.memory.set(key, value, {
      ...meta,
      ...(data.tier === undefined ? {} : { tier: data.tier }),
      ...(replaced.value === undefined ? {} : { replaces: replaced.value.id ?? replaced.value.key }),
      effect,
    });
    if (!stored.ok) return stored;
    // After a crash here the new memory says what it replaces, and that counts.
    if (replaced.value !== undefined) {
      const facts = { validUntil: new Date(ctx.now).toISOString(), replacedBy: key };
      const marked = await context.memory.adjust(replaced.value.id ?? replaced.value.key, facts, meta.permit);
      if (!marked.ok) return marked;
    }
    return ok(prepared(stored.value));
  },

  async execute(_data, ctx, { agent, entry, heldBack, similar, replaced }) {
    await ctx.emit({ type: "memory.stored", agent, key: entry.key });
    return ok({ agent, entry: toMemoryEntryView(entry), heldBack, similar, replaced });
  },
});

function metaOf(
  ctx: Read,
  agent: string,
  requested: Visibility | undefined,
): { readonly meta: MemoryMeta & Required<Pick<MemoryMeta, "permit">>; readonly heldBack: boolean } {
  if (ctx.caller.kind !== "agent") {
    const visibility = requested === undefined ? {} : { visibility: requested };
    return {
      meta: { source: callerName(ctx.caller), permit: memoryPermit(ctx.caller), ...visibility },
      heldBack: false,
    };
  }
  const writer = writerOf(ctx, agent);
  const outside = writer.origin?.outside === true;
  const visibility = outside ? "private" : requested;
  const meta = {
    ...writer,
    permit: replacePermit(ctx.caller, outside),
    ...(visibility === undefined ? {} : { visibility }),
  };
  return { meta, heldBack: outside && requested !== undefined && requested !== "private" };
}

/** Returns the entry that is replaced. Refused when it does not exist, or when the caller may not change it. */
async function findReplaced(
  { memory }: PersonalContext,
  key: string,
  replaces: string | undefined,
  { permit }: Required<Pick<MemoryMeta, "permit">>,
): Promise<Result<MemoryEntry | undefined, Refusal>> {
  if (replaces === undefined) return ok(undefined);
  const found = await memory.get(replaces);
  if (!found.ok) return found;
  if (found.value.key === key) {
    return refuse("invalid", `"${key}" cannot replace itself and still be found.`, {
      hint: "Choose another key. Without `replaces`, the old text is overwritten.",
    });
  }
  const permitted = permit(found.value);
  return permitted.ok ? ok(found.value) : permitted;
}

function checkNovel(
  { novelty, repeated }: Comparison,
  outside: boolean,
  replaced: MemoryEntry | undefined,
): Result<undefined, Refusal> {
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
      return repeated !== undefined && repeated.key === replaced?.key ? ok(undefined) : refuseRepeat(repeated, outside);
  }
}

/** A key may repeat untrusted content: a run that has read none is told only the id. */
function nameOf(entry: MemoryEntry, trustedRun: boolean): { readonly key: string | null; readonly id: string | null } {
  return { key: trustedRun && isUntrusted(entry) ? null : entry.key, id: entry.id };
}

function refuseRepeat(existing: MemoryEntry | undefined, outside: boolean) {
  const { key, id } = existing === undefined ? { key: "", id: null } : nameOf(existing, !outside);
  const change =
    key === null
      ? ""
      : ` To change that memory, store the new wording under its key, or under another key with replaces: ${id ?? key}.`;
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
