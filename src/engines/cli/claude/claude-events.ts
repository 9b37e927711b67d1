import { z } from "zod";
import { parseJson } from "../../shared/parse-json.ts";

/** The lines of `claude -p --output-format stream-json` that are used, limited to the fields that are used. */
const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.unknown(),
    is_error: z.boolean().nullish(),
  }),
]);
export type ClaudeBlock = z.infer<typeof block>;

/** Other kinds of block are ignored. */
const blocks = z.array(z.unknown()).transform((all) => all.flatMap((one) => block.safeParse(one).data ?? []));
/** Null for the agent itself; otherwise the event is of a subagent. */
const parent = z.string().nullish();

const modelUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: z.number().optional(),
  cacheCreationInputTokens: z.number().optional(),
  thinkingTokens: z.number().optional(),
  costUSD: z.number().optional(),
});
export type ClaudeModelUsage = z.infer<typeof modelUsage>;

const result = z.object({
  type: z.literal("result"),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().nullish(),
  errors: z.array(z.string()).nullish(),
  session_id: z.string(),
  api_error_status: z.number().nullish(),
  terminal_reason: z.string().nullish(),
  stop_reason: z.string().nullish(),
  total_cost_usd: z.number().nullish(),
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cache_read_input_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
      output_tokens_details: z.object({ thinking_tokens: z.number().nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
  model_usage_since_last_result: z.record(z.string(), modelUsage).nullish().catch(null),
});
export type ClaudeResult = z.infer<typeof result>;

const event = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("stream_event"),
    parent_tool_use_id: parent,
    event: z.object({
      type: z.literal("content_block_delta"),
      delta: z.object({ type: z.literal("text_delta"), text: z.string() }),
    }),
  }),
  z.object({
    type: z.literal("assistant"),
    parent_tool_use_id: parent,
    /** The kind of failure that the text of the message describes. */
    error: z.string().nullish(),
    message: z.object({ content: blocks }),
  }),
  z.object({
    type: z.literal("user"),
    parent_tool_use_id: parent,
    message: z.object({ content: blocks.catch([]) }),
  }),
  z.object({
    type: z.literal("rate_limit_event"),
    rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().nullish() }),
  }),
  z.object({
    type: z.literal("system"),
    subtype: z.literal("api_retry"),
    error_status: z.number().nullish(),
    retry_delay_ms: z.number(),
  }),
  z.object({
    type: z.literal("control_request"),
    request_id: z.string(),
    request: z.union([
      z.object({
        subtype: z.literal("can_use_tool"),
        tool_name: z.string(),
        input: z.record(z.string(), z.unknown()),
      }),
      z.object({ subtype: z.string().transform(() => null) }),
    ]),
  }),
  result,
]);
export type ClaudeEvent = z.infer<typeof event>;
/** A request of the program to us; `subtype` is null for an unknown one. */
export type ClaudeRequest = Extract<ClaudeEvent, { readonly type: "control_request" }>;

/** Returns undefined for a line that is none of these events. */
export function readClaudeEvent(line: string): ClaudeEvent | undefined {
  return event.safeParse(parseJson(line)).data;
}
