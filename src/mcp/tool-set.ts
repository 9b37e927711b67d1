import type { ToolAnswer } from "./tool-answer.ts";
import type { ToolHints } from "./tool-hints.ts";

/** The tools one caller has, and nothing else: made anew for every request, so that no two callers share anything. */
export interface ToolSet {
  /** Always in the same order. */
  list(): readonly ListedTool[];
  /** Everything a model can react to is an answer. Throws the signal's reason, or a bug. */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolAnswer>;
  /** May take minutes: its answer needs a stream that is kept alive. */
  takesLong(name: string): boolean;
}

export type ListedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly annotations?: ToolHints;
};
