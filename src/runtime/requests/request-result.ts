import type { RequestOutcome, RequestResult } from "../../contract/service/work-request.ts";
import type { UsageTotal } from "../../domain/budget/usage.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { figuresOf } from "./usage-figures.ts";
import type { RequestWatch } from "./watch-request.ts";

/** Returns the last event of a work request. */
export async function requestResult(
  store: StoreReads,
  request: {
    readonly space: string;
    readonly participants: readonly string[];
    readonly warnings?: readonly string[];
    readonly toolCalls: RequestWatch["toolCalls"];
    /** The last message of an agent. */
    readonly answer: MessageRecord | undefined;
    readonly end: RequestOutcome;
    readonly used: UsageTotal;
  },
): Promise<RequestResult> {
  const { space, participants, warnings, toolCalls, answer, end, used } = request;
  return {
    type: "done",
    content: answer === undefined ? "" : await wholeContent(store, answer),
    ...end,
    space,
    participants,
    ...(warnings === undefined ? {} : { warnings }),
    toolCalls,
    usage: figuresOf(used),
  };
}

/** A long message is stored as a resource, and its body is only the beginning. */
async function wholeContent(store: StoreReads, { body, resource }: MessageRecord): Promise<string> {
  return (resource === null ? undefined : await store.resources.content(resource)) ?? body;
}
