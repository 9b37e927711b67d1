import { z } from "zod";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace } from "../../domain/message/target.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

const number = z.union([z.int().nonnegative(), z.stringFormat("a number", /^\d{1,15}$/).transform(Number)]);
const choice = z.union([z.boolean(), z.enum(["0", "1", "false", "true"]).transform((text) => /1|true/.test(text))]);

/** The input of `GET /events`. */
export const streamQuery = z.strictObject({
  since: number.optional().describe("Go on after this event. The header Last-Event-ID says the same, and wins."),
  space: z.string().optional().describe("Only what happens there: @review, @review:pr-1, or an agent."),
  live: choice.default(false).describe("Also words as they come and tools as they are called, which are not recorded."),
});

/** Which events a client gets. */
export interface StreamFilter {
  /** Only events of this space. */
  readonly space: string | undefined;
  /** Also events that are never recorded: text as it is generated, tools as they are called. */
  readonly live: boolean;
}

export interface StreamQuery extends StreamFilter {
  /** Undefined: only new events. */
  readonly since: number | undefined;
}

export function readStreamQuery(input: unknown, lastEventId: string | undefined): Result<StreamQuery, Refusal> {
  const parsed = streamQuery.safeParse(input);
  if (!parsed.success) {
    const { path = [], message = "" } = parsed.error.issues[0] ?? {};
    return refuse("invalid", `events: ${message}${path.length === 0 ? "" : ` in "${path.join(".")}"`}.`, {
      hint: "It takes since, space and live.",
    });
  }
  const after = lastEventId === undefined ? ok(parsed.data.since) : readEventId(lastEventId);
  if (!after.ok) return after;
  const { live, space } = parsed.data;
  const target = space === undefined ? undefined : parseTarget(space);
  if (target?.ok === false) return target;
  return ok({
    since: after.value,
    live,
    space: target === undefined ? undefined : formatSpace(targetSpace(target.value)),
  });
}

function readEventId(text: string): Result<number, Refusal> {
  if (/^\d{1,15}$/.test(text)) return ok(Number(text));
  return refuse("invalid", "Last-Event-ID is not the id of an event.", { hint: "Leave it out to begin with now." });
}
