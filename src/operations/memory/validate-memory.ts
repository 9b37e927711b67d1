import { memoryQuestion } from "../../guard/model/validate-memory.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Read } from "../core/define.ts";
import { readGuardSubject } from "../guard/guard-subject.ts";
import { readRunEvidence } from "./run-evidence.ts";

interface NewMemory {
  readonly key: string;
  readonly text: string;
  /** The run has read untrusted content. */
  readonly outside: boolean;
}

/**
 * Asks the guard's model whether what an agent wants to remember is worth it and true to what the run has read. Without a
 * model, and when it cannot answer, every memory is accepted that the rules accept.
 */
export async function validateMemory(ctx: Read, memory: NewMemory): Promise<Result<undefined, Refusal>> {
  const subject = await readGuardSubject(ctx, "validate");
  if (subject === null) return ok(undefined);
  const { run, evidence } = await ctx.read(async (store) => {
    const found = await store.runs.byId(subject.run);
    return { run: found, evidence: found === undefined ? [] : await readRunEvidence(store, found) };
  });
  if (run === undefined) return ok(undefined);
  const decision = await ctx.services.askGuardModel(subject, "validate", memoryQuestion({ ...memory, evidence }));
  if (decision === null || decision.keep) return ok(undefined);
  // The reason may repeat what the model has read.
  if (evidence.some(({ untrusted }) => untrusted)) await ctx.services.provenance.markUntrusted(run.id);
  return refuse("invalid", `Not remembered: ${decision.reason}`, {
    hint: "Remember it as it was said, with who said it, or leave it. A person can store it as it is.",
  });
}
