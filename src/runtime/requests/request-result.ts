import type { RequestOutcome, RequestResult, UsageFigures } from "../../contract/service/work-request.ts";
import { totalCost, type UsageTotal } from "../../domain/budget/usage.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { RequestWatch } from "./watch-request.ts";

/** Returns the last event of a work request. */
export async function requestResult(
  store: StoreReads,
  request: {
    readonly space: string;
    readonly participants: readonly string[];
    readonly toolCalls: RequestWatch["toolCalls"];
    /** The last message of an agent. */
    readonly answer: MessageRecord | undefined;
    readonly end: RequestOutcome;
    readonly used: UsageTotal;
  },
): Promise<RequestResult> {
  const { space, participants, toolCalls, answer, end, used } = request;
  return {
    type: "done",
    content: answer === undefined ? "" : await wholeContent(store, answer),
    ...end,
    space,
    participants,
    toolCalls,
    usage: figuresOf(used),
  };
}

/** A long message is stored as a resource, and its body is only the beginning. */
async function wholeContent(store: StoreReads, { body, resource }: MessageRecord): Promise<string> {
  return (resource === null ? undefined : await store.resources.content(resource)) ?? body;
}

export function figuresOf(used: UsageTotal): UsageFigures {
  if (used.steps === 0) return { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const cost = totalCost(used);
  return {
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    costUsd: cost.basis === "unknown" ? null : cost.usd,
  };
}
