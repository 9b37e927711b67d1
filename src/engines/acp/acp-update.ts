import { z } from "zod";

/** Parameters of `session/update`, limited to the fields that are used. Other kinds of update are ignored. */
const part = z.object({ type: z.string(), text: z.string().optional() });

const call = z.object({
  toolCallId: z.string(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  content: z
    .array(z.object({ type: z.string(), content: part.optional(), path: z.string().optional() }))
    .nullish()
    .catch(null),
  locations: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .catch(null),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
});

const update = z.discriminatedUnion("sessionUpdate", [
  z.object({ sessionUpdate: z.literal("agent_message_chunk"), content: part }),
  call.extend({ sessionUpdate: z.literal("tool_call") }),
  call.extend({ sessionUpdate: z.literal("tool_call_update") }),
  z.object({
    sessionUpdate: z.literal("usage_update"),
    cost: z.object({ amount: z.number(), currency: z.string() }).nullish(),
  }),
]);

const notification = z.object({ sessionId: z.string(), update });

export type AcpUpdate = z.infer<typeof update>;
export type AcpCall = z.infer<typeof call>;

export function readUpdate(params: unknown): { readonly sessionId: string; readonly update: AcpUpdate } | null {
  return notification.safeParse(params).data ?? null;
}
