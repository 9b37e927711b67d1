import { Fault } from "../kernel/fault.ts";
import { BrokenConnection, MalformedAnswer } from "./transport/byte-source.ts";
import { NotTheDaemon } from "./transport/connection.ts";

/** Why nobody answered, in a few words; undefined for anything that is not about the connection. */
export function connectionTrouble(error: unknown): string | undefined {
  if (error instanceof BrokenConnection || error instanceof MalformedAnswer || error instanceof NotTheDaemon) {
    const cause = error.cause === undefined ? undefined : connectionTrouble(error.cause);
    return cause === undefined ? error.message : `${error.message}: ${cause}`;
  }
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (error.code === "ECONNREFUSED") return "nobody listens there";
  return /^E[A-Z]+$/.test(error.code) ? error.code : undefined;
}

/** A connection that failed, as a Fault; anything else comes back as it is. */
export function lostConnection(error: unknown): unknown {
  const trouble = connectionTrouble(error);
  if (trouble === undefined) return error;
  return new Fault("daemon_unreachable", `The daemon did not answer: ${trouble}.`, {
    cause: error,
    hint: "What was asked may or may not have been done. See: agent-worker daemon status",
  });
}
