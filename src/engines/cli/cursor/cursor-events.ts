import { z } from "zod";
import { parseJson } from "../../shared/parse-json.ts";

/** The lines of `cursor-agent --output-format stream-json` that are used, limited to the fields that are used. */
const event = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("assistant"),
    message: z.object({ content: z.array(z.object({ type: z.string(), text: z.string().optional() })) }),
  }),
  z.object({
    type: z.literal("tool_call"),
    subtype: z.string(),
    call_id: z.string(),
    /** One key, the kind of call: `readToolCall`, `shellToolCall`, `mcpToolCall`, `function`. */
    tool_call: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal("result"),
    is_error: z.boolean(),
    result: z.string().optional(),
    usage: z
      .object({
        inputTokens: z.number().optional(),
        outputTokens: z.number().optional(),
        cacheReadTokens: z.number().optional(),
        cacheWriteTokens: z.number().optional(),
      })
      .optional(),
  }),
]);

const call = z.object({
  args: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
});
const mcpArgs = z.object({
  toolName: z.string().optional(),
  name: z.string().optional(),
  args: z.unknown().optional(),
});
const session = z.object({ session_id: z.string() });

export type CursorEvent = z.infer<typeof event>;
export type CursorResult = Extract<CursorEvent, { type: "result" }>;
type CursorToolCall = Extract<CursorEvent, { type: "tool_call" }>;

/** Returns undefined as event for a line that is no JSON, null for an event that is not used. */
export function readCursorEvent(line: string): { event: CursorEvent | null | undefined; session: string | null } {
  const value = parseJson(line);
  if (value === undefined) return { event: undefined, session: null };
  return { event: event.safeParse(value).data ?? null, session: session.safeParse(value).data?.session_id ?? null };
}

export interface CursorCall {
  readonly tool: string;
  readonly args: unknown;
  /** Null until there is a result. */
  readonly answer: { readonly content: string; readonly isError: boolean } | null;
}

export function readCursorCall({ tool_call, subtype }: CursorToolCall): CursorCall | null {
  const [[kind, value] = ["", null]] = Object.entries(tool_call);
  const parsed = call.safeParse(value).data;
  if (parsed === undefined) return null;
  const { args, result = {} } = parsed;
  const mcp = kind === "mcpToolCall" ? mcpArgs.safeParse(args).data : undefined;
  const isError = !Object.hasOwn(result, "success");
  return {
    tool: mcp?.toolName ?? mcp?.name ?? parsed.name ?? kind.replace(/ToolCall$/, ""),
    args: mcp?.args ?? args ?? parsed.arguments ?? {},
    answer: subtype === "completed" ? { content: textOf(Object.values(result)[0]), isError } : null,
  };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}
