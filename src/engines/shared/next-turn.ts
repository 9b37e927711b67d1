import type { SessionSpec, StepInput } from "../../ports/engine.ts";
import { decisionPrompt, type PendingCall } from "./permission-broker.ts";
import type { WaitingTurn } from "./session-record.ts";

/** The prompt of a step: the run's own, or the decision of a person after a question. */
export type NextTurn =
  | {
      readonly waitsFor: null;
      readonly prompt: string;
      /** The prompt for a session that does not have this run yet. */
      readonly wholePrompt: string;
      readonly decided: readonly PendingCall[];
    }
  /** No decision yet: the program is not started. */
  | { readonly waitsFor: string };

/** The prompt of a step that continues the one before. */
const CONTINUE = "Continue.";

export async function nextTurn(
  { approvals }: Pick<SessionSpec, "approvals">,
  { prompt }: StepInput,
  waiting: WaitingTurn | null,
  session: string | null,
): Promise<NextTurn> {
  const question = waiting?.asked.at(-1);
  if (waiting === null || question === undefined) {
    const text = prompt ?? CONTINUE;
    return { waitsFor: null, prompt: text, wholePrompt: text, decided: [] };
  }
  const answer = await approvals.answer(question.approval);
  if ("pending" in answer) return { waitsFor: answer.pending };
  const decision = decisionPrompt(question, answer);
  const wholePrompt = `${waiting.prompt}\n\n${decision}`;
  return { waitsFor: null, prompt: session === null ? wholePrompt : decision, wholePrompt, decided: waiting.asked };
}
