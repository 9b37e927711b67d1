import type { Operations } from "../../contract/operations.ts";
import type { Proposal, Query } from "../../kernel/proposal.ts";
import type { ProductTypes } from "./define.ts";

/** One implementation for each declared operation; `scripts/generate.ts` collects them in `registry.gen.ts`. */
export type Implementations = { readonly [Name in keyof Operations]: Implementation<Operations[Name]> };

type Implementation<Declared extends Operations[keyof Operations]> = Declared["kind"] extends "proposal"
  ? Proposal<ProductTypes, Declared["input"], Declared["output"], unknown>
  : Query<ProductTypes, Declared["input"], Declared["output"]>;
