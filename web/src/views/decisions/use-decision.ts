import { useState } from "preact/hooks";
import type { OperationInput, OperationName, OperationOutput } from "../../../../src/contract/operations.ts";
import type { DaemonResult } from "../../connection/daemon.ts";
import { usePage } from "../../state/page-context.ts";

/**
 * Sends a decision, one at a time: the buttons are disabled during the request. `onOutcome` gets what was decided;
 * `decide` returns the answer of the daemon, undefined when it refused.
 */
export function useDecision(onOutcome: (text: string) => void = () => {}) {
  const { daemon, notify } = usePage();
  const [deciding, setDeciding] = useState(false);
  const decide = async <Name extends OperationName>(
    operation: Name,
    input: OperationInput<Name>,
    done: string,
  ): Promise<OperationOutput<Name> | undefined> => {
    setDeciding(true);
    const result: DaemonResult<OperationOutput<Name>> = await daemon.call(operation, input);
    setDeciding(false);
    if (result.ok) onOutcome(done);
    notify(result.ok ? done : result.error.message, result.ok ? "good" : "bad");
    return result.ok ? result.value : undefined;
  };
  return { deciding, decide };
}

/** Returns the reason as an input field, if the person wrote one. */
export function withReason(reason: string): { reason?: string } {
  return reason.trim() === "" ? {} : { reason: reason.trim() };
}
