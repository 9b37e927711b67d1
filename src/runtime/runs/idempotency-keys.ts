import { createHash } from "node:crypto";
import { CHANNEL_SEND_TOOL } from "../../operations/messages/tools.ts";

/**
 * An interrupted step is repeated, and with it the messages it has already sent. So every message gets a key made of
 * its run, its step, its arguments and how often the step sent them: a repeated step sends no message twice, while the
 * same text sent twice in one step is two messages.
 */
export interface IdempotencyKeys {
  beginStep(number: number): void;
  /** Returns the arguments of a call, with a key if it sends a message and has none. */
  withKey(tool: string, args: unknown): unknown;
}

export function createIdempotencyKeys(run: string, firstStep: number): IdempotencyKeys {
  let step = firstStep;
  const timesSent = new Map<string, number>();
  return {
    beginStep(number) {
      step = number;
      timesSent.clear();
    },
    withKey(tool, args) {
      if (tool !== CHANNEL_SEND_TOOL || typeof args !== "object" || args === null) return args;
      if ("idempotency_key" in args && args.idempotency_key !== undefined) return args;
      const digest = createHash("sha256").update(JSON.stringify(args)).digest("base64url");
      const times = (timesSent.get(digest) ?? 0) + 1;
      timesSent.set(digest, times);
      return { ...args, idempotency_key: `${run}/${step}/${digest}/${times}` };
    },
  };
}
