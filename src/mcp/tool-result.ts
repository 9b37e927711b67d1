import { hintForUnknownTool } from "../domain/agent/replaced-tools.ts";
import type { RunCredential } from "../runtime/daemon-context.ts";

/** The result of `tools/call`: text for the model, and the same as data for programs. */
export type ToolResult = {
  content: [{ type: "text"; text: string }];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

export function toolResult(
  text: string,
  more: { readonly data?: unknown; readonly isError?: boolean } = {},
): ToolResult {
  return {
    content: [{ type: "text", text }],
    ...(isRecord(more.data) ? { structuredContent: more.data } : {}),
    ...(more.isError === true ? { isError: true } : {}),
  };
}

type ToolOutcome = Awaited<ReturnType<RunCredential["tools"]["call"]>>;

export function outcomeResult(tool: string, outcome: ToolOutcome): ToolResult {
  if (outcome.kind === "result") {
    return toolResult(outcome.content, { data: outcome.structured, isError: outcome.isError });
  }
  const { approval } = outcome;
  return toolResult(
    `${tool} was not done: a person has been asked for approval (${approval}). ` +
      "Go on with something else, or end your turn. The same call with the same arguments is done once it is approved.",
    { data: { approval }, isError: true },
  );
}

/** A result and not a protocol error: a model that mistook a name can read it and try again. */
export function unknownTool(name: string, offered: readonly string[]): ToolResult {
  return toolResult(`There is no tool called "${name}".\n${hintForUnknownTool(name, offered)}`, { isError: true });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
