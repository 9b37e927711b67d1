import type { CausalTree } from "../../domain/causal/budget.ts";

/** What a chain of messages has cost so far. A message without an answer has no entry. */
export interface CausalReads {
  tree(root: string): Promise<CausalTree | undefined>;
}

export interface CausalWrites {
  save(tree: CausalTree): Promise<void>;
}
