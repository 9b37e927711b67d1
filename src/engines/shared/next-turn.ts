import type { EngineName } from "../../domain/agent/definition.ts";
import type { AnswerCut } from "../../domain/message/answer-cut.ts";
import { UNKNOWN_USAGE } from "../../domain/budget/usage.ts";
import type { SessionSpec, StepEnd, StepInput, Usage } from "../../ports/engine.ts";
import { decisionPrompt, type PendingCall } from "./permission-broker.ts";
import { writeSession, type WaitingTurn } from "./session-record.ts";

/** The prompt of a step: the run's own, or the decision of a person after a question. */
export type NextTurn =
  | {
      readonly waitsFor: null;
      readonly prompt: string;
      /** The prompt for a new session, which has no turn of this run. */
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

/** Returns the end of a step that still waits for a decision. */
export function stillWaiting(transcript: string, waitsFor: string): StepEnd {
  return { type: "end", transcript, finished: false, text: "", waitsFor, usage: UNKNOWN_USAGE };
}

/** What a turn of the program returned. */
export interface TurnResult {
  readonly text: string;
  readonly session: string | null;
  readonly usage: Usage;
  readonly cut?: AnswerCut;
}

/** Returns the end of a step after a turn of the program. It waits, without an answer, if a call is pending. */
export function turnEnd(
  { engine, system }: { readonly engine: EngineName; readonly system: string },
  { text, session, usage, cut }: TurnResult,
  pending: readonly PendingCall[] | null,
  prompt: string,
): StepEnd {
  const waitsFor = pending?.at(-1)?.approval ?? null;
  const transcript = writeSession(engine, session, system, pending === null ? null : { asked: pending, prompt });
  const end = { type: "end", transcript, finished: waitsFor === null, waitsFor, usage } as const;
  if (waitsFor !== null) return { ...end, text: "" };
  return cut === undefined ? { ...end, text } : { ...end, text, cut };
}
