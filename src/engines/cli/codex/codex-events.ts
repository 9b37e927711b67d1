import { z } from "zod";
import { parseJson } from "../../shared/parse-json.ts";

/** The lines of `codex exec --json` that are used, limited to the fields that are used. */
const item = z.discriminatedUnion("type", [
  z.object({ type: z.literal("agent_message"), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal("mcp_tool_call"),
    id: z.string(),
    server: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    result: z
      .object({ content: z.array(z.unknown()).nullish() })
      .nullish()
      .catch(null),
    error: z.object({ message: z.string() }).nullish().catch(null),
    status: z.string().nullish(),
  }),
  z.object({
    type: z.literal("command_execution"),
    id: z.string(),
    command: z.string(),
    aggregated_output: z.string().nullish(),
    exit_code: z.number().nullish(),
    status: z.string().nullish(),
  }),
  z.object({ type: z.literal("file_change"), id: z.string(), changes: z.unknown(), status: z.string().nullish() }),
  z.object({ type: z.literal("web_search"), id: z.string(), query: z.string().nullish() }),
]);
export type CodexItem = z.infer<typeof item>;

const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached_input_tokens: z.number().nullish(),
  cache_write_input_tokens: z.number().nullish(),
  reasoning_output_tokens: z.number().nullish(),
});
export type CodexUsage = z.infer<typeof usage>;

const event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({ type: z.literal("item.started"), item }),
  z.object({ type: z.literal("item.completed"), item }),
  z.object({ type: z.literal("turn.completed"), usage: usage.nullish().catch(null) }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
  /** Also reported for errors from which it recovers. */
  z.object({ type: z.literal("error"), message: z.string() }),
]);
export type CodexEvent = z.infer<typeof event>;

/** Returns undefined for a line that is none of these events. */
export function readCodexEvent(line: string): CodexEvent | undefined {
  return event.safeParse(parseJson(line)).data;
}

/**
 * What is stored of a session. Codex counts the tokens of a whole session, so the usage of a turn is the difference.
 */
const session = z.object({ id: z.string().min(1), used: usage.nullable() });
export type CodexSession = z.infer<typeof session>;

export function readCodexSession(text: string | null): CodexSession | null {
  return session.safeParse(parseJson(text ?? "")).data ?? null;
}
