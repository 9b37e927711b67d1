import { useState } from "preact/hooks";
import type { Answer } from "../../connection/daemon.ts";
import type { OperationInput, OperationName } from "../../../../src/contract/operations.ts";
import { usePage } from "../../state/page-context.ts";

/** Decides once: while the daemon is asked, and after it has said yes, nothing more can be pressed. */
export function useDecision() {
  const { daemon, tell } = usePage();
  const [deciding, setDeciding] = useState(false);
  const decide = async <Name extends OperationName>(
    operation: Name,
    input: OperationInput<Name>,
    done: string,
  ): Promise<void> => {
    setDeciding(true);
    const answer: Answer<unknown> = await daemon.ask(operation, input);
    if (!answer.ok) setDeciding(false);
    tell(answer.ok ? done : answer.error.message, answer.ok ? "good" : "bad");
  };
  return { deciding, setDeciding, decide };
}

/** What goes with a decision when the person wrote something. */
export function withReason(reason: string): { reason?: string } {
  return reason.trim() === "" ? {} : { reason: reason.trim() };
}
