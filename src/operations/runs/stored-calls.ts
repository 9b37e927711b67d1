import type { ToolCallRecord } from "../../ports/store/run-history.ts";

/**
 * Calls as they are kept for people to look at: without secrets, which are taken out of the whole text before it is
 * shortened, because half a secret is not recognised.
 */
const LONGEST = 4_000;

export function storedCalls(calls: readonly ToolCallRecord[], redact: (text: string) => string): ToolCallRecord[] {
  const kept = (text: string): string => {
    const clean = redact(text);
    return clean.length <= LONGEST ? clean : `${clean.slice(0, LONGEST).toWellFormed()} [... the rest is not kept]`;
  };
  return calls.map(({ tool, args, result, failed }) => ({
    tool: kept(tool),
    args: kept(args),
    result: result === null ? null : kept(result),
    failed,
  }));
}
