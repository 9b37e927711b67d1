import { useRef, useState } from "preact/hooks";
import type { OperationInput, OperationName, OperationOutput } from "../../../../src/contract/operations.ts";
import type { DaemonError, DaemonResult } from "../../connection/daemon.ts";
import { usePage } from "../../state/page-context.ts";

/** What is so once an operation has decided. */
const DECIDED: Readonly<Partial<Record<OperationName, string>>> = {
  approve: "approved",
  deny: "denied",
  "accept-suggestion": "accepted",
  "reject-suggestion": "rejected",
  "approve-soul": "approved",
  "reject-soul": "rejected",
};

/** Somebody has decided the same before, in another tab or a terminal: the person has what they wanted. */
function isSoAlready(operation: OperationName, { code, details }: DaemonError): boolean {
  return code === "conflict" && details?.state !== undefined && details.state === DECIDED[operation];
}

/**
 * Sends a decision, one at a time: the buttons are disabled during the request. `onOutcome` gets what was decided;
 * `decide` returns the answer of the daemon, undefined when it refused.
 */
export function useDecision(onOutcome: (text: string) => void = () => {}) {
  const { daemon, notify } = usePage();
  const [deciding, setDeciding] = useState(false);
  /** The second click of a double click comes before the buttons are drawn as disabled. */
  const isSending = useRef(false);
  const decide = async <Name extends OperationName>(
    operation: Name,
    input: OperationInput<Name>,
    done: string,
  ): Promise<OperationOutput<Name> | undefined> => {
    if (isSending.current) return undefined;
    isSending.current = true;
    setDeciding(true);
    const result: DaemonResult<OperationOutput<Name>> = await daemon.call(operation, input);
    isSending.current = false;
    setDeciding(false);
    const isDone = result.ok || isSoAlready(operation, result.error);
    if (isDone) onOutcome(done);
    notify(isDone ? done : result.error.message, isDone ? "good" : "bad");
    return result.ok ? result.value : undefined;
  };
  return { deciding, decide };
}

/** Returns the reason as an input field, if the person wrote one. */
export function withReason(reason: string): { reason?: string } {
  return reason.trim() === "" ? {} : { reason: reason.trim() };
}
