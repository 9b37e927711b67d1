import { hintForUnknownTool } from "../../../domain/agent/replaced-tools.ts";
import { generateText, jsonSchema, tool, type LanguageModel, type ModelMessage, type ToolSet } from "ai";
import type { AnswerCut } from "../../../domain/message/answer-cut.ts";
import type { StepProgress, Usage } from "../../../ports/engine.ts";
import type { ToolSpec } from "../../../ports/tools.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { WorkerFailure } from "./failure-report.ts";
import { readUsage } from "./read-usage.ts";
import { streamedModel, type AnswerPart } from "./streamed-answer.ts";
import { callNamer } from "./transcript.ts";

export interface ModelCall {
  readonly model: Exclude<LanguageModel, string>;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /** Tools that the model is not shown: a call of one is made all the same. */
  readonly unlistedTools: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly maxOutputTokens: number | null;
}

/** What is told while the model answers. */
export interface ModelListener {
  /** The answer began: the model sent its first content. */
  enter(phase: "body"): void;
  /** The model sent content. */
  alive(): void;
  emit(event: StepProgress): Promise<void>;
}

export interface ModelAnswer {
  readonly text: string;
  /** The model's messages, and an error result for each call that cannot be made. */
  readonly messages: readonly ModelMessage[];
  readonly calledTools: boolean;
  /** Why the text is not whole; absent when it is. */
  readonly cut?: AnswerCut;
  readonly usage: Usage;
}

/** Anthropic caches up to a marked block; other providers find the common prefix themselves. */
const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;
/** Without it OpenAI stores the conversation, and a resumed run depends on that. */
const NOT_STORED = { openai: { store: false } } as const;
/** Nobody listens, and the SDK would still copy every request for those who might. */
const NO_TELEMETRY = { isEnabled: false } as const;

/**
 * Calls the model once. An answer that is damaged or ended by an error is a failure, even if text was already streamed. Tools are only described here; they are called when the answer is complete.
 */
export async function callModel(call: ModelCall, { enter, alive, emit }: ModelListener): Promise<ModelAnswer> {
  const name = callNamer(call.messages);
  const names = new Map<string, string>();
  let text = "";
  let calledTools = false;
  let hasBegun = false;
  const see = async (part: AnswerPart): Promise<void> => {
    if (hasContent(part)) {
      if (hasBegun) alive();
      else enter("body");
      hasBegun = true;
    }
    if (part.type === "text-delta" && part.delta !== "") {
      text += part.delta;
      await emit({ type: "text", text: part.delta });
    } else if (part.type === "tool-call") {
      calledTools = true;
      const id = name(part.toolCallId);
      names.set(part.toolCallId, id);
      await emit({ type: "tool-call", id, tool: part.toolName, args: argsOf(part.input) });
    }
  };

  const result = await generateText({
    model: streamedModel(call.model, see),
    instructions: { role: "system", content: call.system, providerOptions: CACHED },
    messages: withCacheMark(call.messages),
    tools: toolSet(call.tools),
    maxRetries: 0,
    ...(call.maxOutputTokens === null ? {} : { maxOutputTokens: call.maxOutputTokens }),
    providerOptions: NOT_STORED,
    telemetry: NO_TELEMETRY,
  });

  for (const part of result.content) {
    if (part.type !== "tool-error" || call.unlistedTools.includes(part.toolName)) continue;
    const content = unknownTool(part.toolName, call.tools) ?? errorText(part.error);
    const id = names.get(part.toolCallId) ?? part.toolCallId;
    await emit({ type: "tool-result", id, tool: part.toolName, content, isError: true });
  }
  const cut = cutOf(result.finishReason);
  return {
    text,
    ...(cut === undefined ? {} : { cut }),
    messages: withUnknownTools(result.responseMessages, call),
    calledTools,
    usage: readUsage(result.usage, result.providerMetadata),
  };
}

/** What a model sent instead of JSON is shown as it is. */
function argsOf(input: string): unknown {
  return input.trim() === "" ? {} : (parseJson(input) ?? input);
}

/** Keep-alives of providers make no part, or one without content. What only begins an answer is no content yet. */
function hasContent(part: AnswerPart): boolean {
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta":
    case "tool-input-delta":
      return part.delta !== "";
    default:
      return CONTENT.has(part.type);
  }
}

const CONTENT: ReadonlySet<AnswerPart["type"]> = new Set([
  "tool-input-start",
  "tool-call",
  "file",
  "source",
  "finish",
] as const);

/** What a model is told that calls a tool it does not have; undefined when it has it. */
function unknownTool(name: string, tools: readonly ToolSpec[]): string | undefined {
  const names = tools.map((each) => each.name);
  return names.includes(name) ? undefined : `There is no tool "${name}". ${hintForUnknownTool(name, names)}`;
}

/**
 * The SDK answers a call of a tool that the model is not shown itself. It does not know which tool replaced one that a
 * prompt still names, or that the call can be made: such a call is left open.
 */
function withUnknownTools<T extends ModelMessage>(
  messages: readonly T[],
  { tools, unlistedTools }: Pick<ModelCall, "tools" | "unlistedTools">,
): ModelMessage[] {
  return messages.flatMap((message) => {
    if (message.role !== "tool") return [message];
    const answered = message.content.filter(
      (part) => part.type !== "tool-result" || !unlistedTools.includes(part.toolName),
    );
    const content = answered.map((part) => {
      const text = part.type === "tool-result" ? unknownTool(part.toolName, tools) : undefined;
      return text === undefined ? part : { ...part, output: { type: "error-text" as const, value: text } };
    });
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Throws when the answer did not come to an end. */
function cutOf(reason: string): AnswerCut | undefined {
  if (reason === "length") return "length";
  if (reason === "content-filter") return "filter";
  if (reason === "error" || reason === "interrupted" || reason === "unknown") {
    throw new WorkerFailure({ message: "The answer was cut off before its end." });
  }
  return undefined;
}

/** A list of tools is the same object in every step of a session, unless a grant changes it. */
const TOOL_SETS = new WeakMap<readonly ToolSpec[], ToolSet>();

/** The SDK does not call a tool without `execute`. */
function toolSet(tools: readonly ToolSpec[]): ToolSet {
  const known = TOOL_SETS.get(tools);
  if (known !== undefined) return known;
  const entries = tools.map(({ name, description, inputSchema }) => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema) }),
  ]);
  const made = Object.fromEntries(entries) as ToolSet;
  TOOL_SETS.set(tools, made);
  return made;
}

/**
 * Marks the conversation so far, so that the next step finds it cached. Only in the request, never in the transcript.
 */
function withCacheMark(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) =>
    index === messages.length - 1
      ? { ...message, providerOptions: { ...message.providerOptions, ...CACHED } }
      : message,
  );
}
