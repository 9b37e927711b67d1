import { createHash } from "node:crypto";
import { CHANNEL_SEND_TOOL } from "../../operations/messages/tools.ts";

/**
 * A step that was cut off is made again, and with it whatever it said before the cut. So everything an agent sends is
 * sent under a key made of its run, its step and its words: said again in the same step of a later life it is
 * recognised; other words, or the same words twice in one life, are new messages.
 */
export interface IdempotencyKeys {
  beginStep(number: number): void;
  /** The arguments of a call, with a key if it sends something and has none. */
  withKey(tool: string, args: unknown): unknown;
}

export function createIdempotencyKeys(run: string, firstStep: number): IdempotencyKeys {
  let step = firstStep;
  const said = new Map<string, number>();
  return {
    beginStep(number) {
      step = number;
      said.clear();
    },
    withKey(tool, args) {
      if (tool !== CHANNEL_SEND_TOOL || typeof args !== "object" || args === null) return args;
      if ("idempotency_key" in args && args.idempotency_key !== undefined) return args;
      const words = createHash("sha256").update(JSON.stringify(args)).digest("base64url");
      const times = (said.get(words) ?? 0) + 1;
      said.set(words, times);
      return { ...args, idempotency_key: `${run}/${step}/${words}/${times}` };
    },
  };
}
