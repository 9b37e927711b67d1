import { Fault } from "../kernel/fault.ts";
import { BrokenConnection, MalformedResponse } from "./transport/byte-source.ts";
import { WrongPeer } from "./transport/handshake.ts";

/** Returns in a few words why a connection failed; undefined for an error that is not about the connection. */
export function connectionProblem(error: unknown): string | undefined {
  if (error instanceof BrokenConnection || error instanceof MalformedResponse || error instanceof WrongPeer) {
    const cause = error.cause === undefined ? undefined : connectionProblem(error.cause);
    return cause === undefined ? error.message : `${error.message}: ${cause}`;
  }
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (error.code === "ECONNREFUSED") return "nobody listens there";
  return /^E[A-Z]+$/.test(error.code) ? error.code : undefined;
}

/** Returns a connection error as a Fault, and any other error as it is. */
export function toUnreachable(error: unknown): unknown {
  const problem = connectionProblem(error);
  if (problem === undefined) return error;
  return new Fault("daemon_unreachable", `The daemon did not answer: ${problem}.`, {
    cause: error,
    hint: "What was asked may or may not have been done. See: agent-worker daemon status",
  });
}
