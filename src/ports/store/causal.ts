import type { CausalTree } from "../../domain/causal/budget.ts";

/** What a chain of messages has cost so far. A message nobody answered has no entry: absence is an untouched tree. */
export interface CausalReads {
  tree(root: string): Promise<CausalTree | undefined>;
}

export interface CausalWrites {
  save(tree: CausalTree): Promise<void>;
}
