import { z } from "zod";
import { parseJson } from "../../shared/parse-json.ts";

/** The lines of `opencode run --format json` that are used, limited to the fields that are used. */
const tokens = z.object({
  input: z.number(),
  output: z.number(),
  reasoning: z.number(),
  cache: z.object({ read: z.number(), write: z.number() }),
});

const toolState = z.object({
  status: z.string(),
  input: z.unknown().optional(),
  output: z.string().optional(),
  error: z.string().optional(),
});

const problem = z.object({
  name: z.string(),
  data: z
    .object({
      message: z.string().optional(),
      statusCode: z.number().optional(),
      responseHeaders: z.record(z.string(), z.string()).optional(),
      responseBody: z.string().optional(),
    })
    .optional(),
});

const event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("step_start") }),
  z.object({ type: z.literal("text"), part: z.object({ text: z.string(), synthetic: z.boolean().optional() }) }),
  z.object({
    type: z.literal("tool_use"),
    part: z.object({ tool: z.string(), callID: z.string(), state: toolState }),
  }),
  z.object({
    type: z.literal("step_finish"),
    part: z.object({ reason: z.string(), tokens, cost: z.number() }),
  }),
  z.object({ type: z.literal("error"), error: problem }),
]);

const session = z.object({ sessionID: z.string() });

export type OpencodeEvent = z.infer<typeof event>;
export type OpencodeProblem = z.infer<typeof problem>;
export type OpencodeTokens = z.infer<typeof tokens>;

/** Returns null as event for a line that is none of these. */
export function readOpencodeEvent(line: string): { event: OpencodeEvent | null; session: string | null } {
  const value = parseJson(line);
  return { event: event.safeParse(value).data ?? null, session: session.safeParse(value).data?.sessionID ?? null };
}
