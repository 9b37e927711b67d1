/** Where a promise comes from: one of the five seed documents, or a page of the design. */
export type Source = "000" | "001" | "002" | "003" | "004" | "surface" | "product" | "architecture" | "traps" | "proof";

/** Where the behaviour can be observed, hence where a test of it looks. */
export type Face = "domain" | "store" | "file" | "cli" | "http" | "mcp" | "engine" | "ui" | "docs";

/** One behaviour a test can show. `id` is `area.feature`; tests cite it in their title as `[area.feature]`. */
export interface Requirement {
  readonly id: string;
  readonly source: readonly Source[];
  readonly behaviour: string;
  readonly faces: readonly Face[];
}
