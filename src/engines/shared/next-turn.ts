import type { SessionSpec, StepInput } from "../../ports/engine.ts";
import { decisionPrompt, type PendingCall } from "./permission-broker.ts";
import type { WaitingTurn } from "./session-record.ts";

/** What a program is asked in a step: what the run is about, or how it goes on after a question to a person. */
export type NextTurn =
  | {
      readonly waitsFor: null;
      readonly prompt: string;
      /** The same for a session that knows nothing of this run. */
      readonly wholePrompt: string;
      readonly decided: readonly PendingCall[];
    }
  /** Nobody has decided yet: there is nothing to ask the program. */
  | { readonly waitsFor: string };

/** For a step that goes on where the last one ended. */
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
