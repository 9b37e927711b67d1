import { routes } from "../contract/routes.gen.ts";
import type { Operation } from "../operations/core/define.ts";

/** What a client may assume about a tool before it asks its user: the `annotations` of MCP. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  /** Nothing outside the project is touched. */
  readonly openWorldHint: false;
}

const REPLACING: ReadonlySet<string> = new Set(
  routes.flatMap(({ operation, method }) => (method === "PUT" || method === "DELETE" ? [operation] : [])),
);

/** Derived from the operations of the tool: the method of its route shows which of them replace or remove something. */
export function toolHints(uses: readonly Operation[]): ToolHints {
  const changing = uses.filter(({ kind }) => kind === "proposal");
  if (changing.length === 0) return { readOnlyHint: true, openWorldHint: false };
  return {
    readOnlyHint: false,
    destructiveHint: changing.some(({ name }) => REPLACING.has(name)),
    idempotentHint: changing.every(({ name }) => REPLACING.has(name)),
    openWorldHint: false,
  };
}

export function toolTitle(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
