import type { ToolCall } from "../../ports/tools.ts";

/** A call of a model that still has to be made. */
export interface OpenCall extends ToolCall {
  /** The provider's id of the call, which its result has to repeat. `id` is unique within the run. */
  readonly providerId: string;
}

export interface CallResult extends Pick<OpenCall, "providerId" | "tool"> {
  readonly content: string;
  readonly isError: boolean;
}

/** The message of a transcript, of the AI SDK, that tells a model the results of its calls. */
export function resultsMessage(results: readonly CallResult[]) {
  const content = results.map(({ providerId, tool, content: text, isError }) => {
    const output = { type: isError ? ("error-text" as const) : ("text" as const), value: text };
    return { type: "tool-result" as const, toolCallId: providerId, toolName: tool, output };
  });
  return { role: "tool" as const, content };
}
