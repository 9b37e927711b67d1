import type { z } from "zod";
import type { Proposal } from "../../kernel/proposal.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ProductTypes, OwnProposal } from "../core/define.ts";

/** A proposal that can be a part of the transaction of another one. */
export type Embeddable = Proposal<ProductTypes, z.ZodType, z.ZodType, undefined>;

/** Refuses an own proposal with `prepare`, because that takes place outside of transactions. */
export function checkEmbeddable({ name, prepares, operation }: OwnProposal): Result<Embeddable, Refusal> {
  if (!prepares) return ok(operation as Embeddable);
  return refuse("invalid", `"${name}" prepares something first, so it cannot follow from another proposal.`, {
    hint: "Call it directly, or move what it prepares to a proposal of its own.",
  });
}
