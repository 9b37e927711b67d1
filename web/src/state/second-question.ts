/** How long "Really …?" must have been shown before an answer counts. */
export const QUESTION_STEADY_MS = 700;

/** What of a click says whether it was meant for the question. */
export interface AnsweringClick {
  /** The time of the click, on the same clock as the time when the question appeared. */
  readonly timeStamp: number;
  /** The number of clicks in a row at one place; 0 for the keyboard. */
  readonly detail: number;
}

/** Whether a click answers the question. One that was on its way before it could be read does not. */
export function isMeantForQuestion(askedAt: number, { timeStamp, detail }: AnsweringClick): boolean {
  return detail <= 1 && timeStamp - askedAt >= QUESTION_STEADY_MS;
}
