import { createHash } from "node:crypto";

/**
 * An interrupted step is repeated, and with it the tool calls it has already made. So every call gets a key made of its
 * step, its tool, its arguments and how often the step made it: a repeated call changes nothing again and gets the
 * answer of the first time (`kernel/repeated-call.ts`), while the same call twice in one step is two calls.
 */
export interface IdempotencyKeys {
  beginStep(number: number): void;
  /** Returns the key of the next call of this tool with these arguments; unique within the run. */
  next(tool: string, args: unknown): string;
}

export function createIdempotencyKeys(firstStep: number): IdempotencyKeys {
  let step = firstStep;
  const timesMade = new Map<string, number>();
  return {
    beginStep(number) {
      step = number;
      timesMade.clear();
    },
    next(tool, args) {
      const digest = createHash("sha256")
        .update(JSON.stringify([tool, args]))
        .digest("base64url");
      const times = (timesMade.get(digest) ?? 0) + 1;
      timesMade.set(digest, times);
      return `${step}/${digest}/${times}`;
    },
  };
}
