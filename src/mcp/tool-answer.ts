import type { RunCredential } from "../runtime/daemon-context.ts";

type ToolOutcome = Awaited<ReturnType<RunCredential["tools"]["call"]>>;

/** What `tools/call` answers: words for the model, and the same as data for programs. */
export type ToolAnswer = {
  content: [{ type: "text"; text: string }];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

export function toolAnswer(
  text: string,
  more: { readonly data?: unknown; readonly isError?: boolean } = {},
): ToolAnswer {
  return {
    content: [{ type: "text", text }],
    ...(isRecord(more.data) ? { structuredContent: more.data } : {}),
    ...(more.isError === true ? { isError: true } : {}),
  };
}

export function outcomeAnswer(tool: string, outcome: ToolOutcome): ToolAnswer {
  if (outcome.kind === "result") {
    return toolAnswer(outcome.content, { data: outcome.structured, isError: outcome.isError });
  }
  const { approval } = outcome;
  return toolAnswer(
    `${tool} was not done: a person has been asked for approval (${approval}). ` +
      "Go on with something else, or end your turn. The same call with the same arguments is done once it is approved.",
    { data: { approval }, isError: true },
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
