import type { Operations } from "../../contract/operations.ts";
import {
  freeAt,
  MINUTE_LIMITS,
  RUN_LIMITS,
  usesInMinute,
  type QuotaKind,
  type QuotaLimits,
  type QuotaUse,
} from "../../domain/budget/run-quota.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Quota } from "../../kernel/system.ts";

/** The kinds of proposals that have a limit of their own. All others that agents make are `changes`. */
const KINDS: Readonly<Partial<Record<keyof Operations, QuotaKind>>> = {
  "send-message": "messages",
  "create-document": "documents",
  "write-document": "documents",
  "append-document": "documents",
  "suggest-document": "documents",
  "create-resource": "documents",
  "create-ballot": "ballots",
  "add-note": "notes",
  "add-todo": "notes",
  "set-memory": "notes",
  "suggest-soul": "notes",
  "submit-feedback": "notes",
};

const COUNTED: ReadonlyMap<string, QuotaKind> = new Map(Object.entries(KINDS));

/** More runs than these at once have never been seen; those not used for the longest time are forgotten first. */
const MOST_REMEMBERED = 1000;

/**
 * Limits what a run may change, and what an agent may change in a minute, so that a run that repeats itself cannot fill
 * the store or wake others without end. It counts proposals, so HTTP and MCP are alike. Persons, the system and the
 * reply of a run are not limited. The counts are in memory: a new daemon process begins with none.
 */
export function createRunQuota(limits: { readonly run?: QuotaLimits; readonly minute?: QuotaLimits } = {}): Quota {
  const { run: runLimits = RUN_LIMITS, minute: minuteLimits = MINUTE_LIMITS } = limits;
  const runs = new Map<string, Map<QuotaKind, number>>();
  const minutes = new Map<string, Map<QuotaKind, readonly QuotaUse[]>>();
  return {
    charge(caller, proposal, data, now) {
      if (caller.kind !== "agent" || caller.run === null) return ok(NOTHING);
      const ofRun = remembered(runs, caller.run);
      const ofAgent = remembered(minutes, `${caller.name} ${caller.space}`);
      const kind = COUNTED.get(proposal) ?? "changes";
      const amounts: readonly (readonly [QuotaKind, number])[] = [
        [kind, 1],
        ["bytes", Buffer.byteLength(JSON.stringify(data) ?? "")],
      ];
      for (const [each, amount] of amounts) {
        const uses = usesInMinute(ofAgent.get(each) ?? [], now);
        ofAgent.set(each, uses);
        const refused =
          checkRun(caller.name, each, (ofRun.get(each) ?? 0) + amount, runLimits[each]) ??
          checkMinute(caller.name, each, uses, { amount, limit: minuteLimits[each], now });
        if (refused !== undefined) return refused;
      }
      const charged = amounts.map(([each, amount]) => ({ each, use: { at: now, amount } }));
      for (const { each, use } of charged) {
        ofRun.set(each, (ofRun.get(each) ?? 0) + use.amount);
        ofAgent.set(each, [...(ofAgent.get(each) ?? []), use]);
      }
      return ok({
        takeBack() {
          for (const { each, use } of charged) {
            ofRun.set(each, (ofRun.get(each) ?? 0) - use.amount);
            ofAgent.set(
              each,
              (ofAgent.get(each) ?? []).filter((other) => other !== use),
            );
          }
        },
      });
    },
  };
}

const NOTHING = { takeBack: () => {} };

const WORDS: Readonly<Record<Exclude<QuotaKind, "bytes">, string>> = {
  messages: "messages",
  documents: "writes of documents",
  ballots: "ballots",
  notes: "notes, todos and memories",
  changes: "other changes",
};

function amountText(kind: QuotaKind, amount: number): string {
  return kind === "bytes" ? `${Math.round(amount / 1024)} KiB` : `${amount} ${WORDS[kind]}`;
}

function checkRun(agent: string, kind: QuotaKind, total: number, limit: number): Result<never, Refusal> | undefined {
  if (total <= limit) return undefined;
  return refuse("limited", `${agent} has used up the quota of this run: ${amountText(kind, limit)}.`, {
    hint: "What was accepted stays. Say what is left to do and finish: the next run begins anew.",
    details: { kind, limit, per: "run" },
  });
}

function checkMinute(
  agent: string,
  kind: QuotaKind,
  uses: readonly QuotaUse[],
  { amount, limit, now }: { readonly amount: number; readonly limit: number; readonly now: number },
): Result<never, Refusal> | undefined {
  const used = uses.reduce((sum, use) => sum + use.amount, 0);
  if (used + amount <= limit) return undefined;
  const at = freeAt(uses, amount, limit);
  const seconds = Math.max(1, Math.ceil((at - now) / 1000));
  return refuse("limited", `${agent} has used up its quota of a minute: ${amountText(kind, limit)}.`, {
    hint: `What was accepted stays. Go on in ${seconds} s, and say more at once.`,
    details: { kind, limit, per: "minute", retryAfterSeconds: seconds, freeAt: new Date(at).toISOString() },
  });
}

/** Returns the counts under this key, which become the last to be forgotten. */
function remembered<Counts>(all: Map<string, Map<QuotaKind, Counts>>, key: string): Map<QuotaKind, Counts> {
  const counts = all.get(key) ?? new Map<QuotaKind, Counts>();
  all.delete(key);
  all.set(key, counts);
  if (all.size > MOST_REMEMBERED) for (const [oldest] of all.entries().take(1)) all.delete(oldest);
  return counts;
}
