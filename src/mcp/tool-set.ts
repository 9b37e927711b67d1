import type { ToolHints } from "./tool-hints.ts";
import type { ToolResult } from "./tool-result.ts";

/** The tools of one caller. It is made for each request, so that no two callers share anything. */
export interface ToolSet {
  /** Always in the same order. */
  list(): readonly ListedTool[];
  /** Returns everything a model can react to as a result. Throws the signal's reason, or a bug. */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
  /** The call may take minutes: its response needs a stream with heartbeats. */
  takesLong(name: string): boolean;
}

export type ListedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly annotations?: ToolHints;
};
