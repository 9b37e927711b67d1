import { PERSON } from "../../domain/message/message.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MemoryPermit, MemoryTier } from "../../ports/personal-context.ts";

/**
 * An agent may change its memories, except core memory and what a person wrote. Core memory is in every prompt, so
 * untrusted content in it would influence every run. Persons may change everything.
 */
export function memoryPermit(caller: Caller): MemoryPermit {
  return (existing) => {
    if (caller.kind !== "agent") return ok(undefined);
    if (existing.tier === "core")
      return refusePersons(`"${existing.key}" is core memory, which only a person changes.`);
    if (existing.source !== PERSON) return ok(undefined);
    return refusePersons(`"${existing.key}" was written by a person, who alone changes it.`);
  };
}

/** For replacing: a run that has read untrusted content must also not replace trusted or shared memories. */
export function replacePermit(caller: Caller, outside: boolean): MemoryPermit {
  const permit = memoryPermit(caller);
  return (existing) => {
    const permitted = permit(existing);
    const isPrivate = existing.visibility === "private" && (existing.sharedWith ?? []).length === 0;
    if (!permitted.ok || !outside || (isPrivate && isUntrusted(existing))) return permitted;
    return refusePersons(
      `"${existing.key}" is ${isPrivate ? "surer" : "shared, and surer"} than what you say now, after reading what others said.`,
    );
  };
}

/** Refuses an agent that writes core memory. */
export function checkTier(caller: Caller, tier: MemoryTier | undefined): Result<undefined, Refusal> {
  if (caller.kind !== "agent" || tier !== "core") return ok(undefined);
  return refusePersons("Only a person makes a memory part of the core.");
}

function refusePersons(message: string) {
  return refuse("forbidden", message, { hint: "Remember it under another key, or ask the person to change it." });
}
