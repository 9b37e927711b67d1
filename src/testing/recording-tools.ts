import type { ToolCall, ToolHost, ToolOutcome } from "../ports/tools.ts";

/** Tools made of functions. They record every call. */
export interface RecordingTools extends ToolHost {
  readonly calls: ToolCall[];
}

export type Tool = (args: unknown, call: ToolCall, signal: AbortSignal) => ToolOutcome | Promise<ToolOutcome>;

export function recordingTools(tools: Readonly<Record<string, Tool>> = {}): RecordingTools {
  const calls: ToolCall[] = [];
  return {
    calls,
    list: () =>
      Object.keys(tools).map((name) => ({ name, description: `The tool ${name}.`, inputSchema: { type: "object" } })),
    call: async (call, signal) => {
      calls.push(call);
      const tool = tools[call.tool];
      return tool === undefined ? failure(`There is no tool "${call.tool}".`) : tool(call.args, call, signal);
    },
  };
}

export function success(content: string): ToolOutcome {
  return { kind: "result", content, isError: false };
}

export function failure(content: string): ToolOutcome {
  return { kind: "result", content, isError: true };
}
