import { expect, test } from "vitest";
import { isMeantForQuestion, QUESTION_STEADY_MS } from "../../../web/src/state/second-question.ts";

test("[ui.decision-clicks] the second question takes no answer in its first moment, nor from a double click", () => {
  const shown = 1000;
  const steady = shown + QUESTION_STEADY_MS;
  expect(isMeantForQuestion(shown, { timeStamp: shown + 150, detail: 1 })).toBe(false);
  expect(isMeantForQuestion(shown, { timeStamp: shown - 10, detail: 1 })).toBe(false);
  expect(isMeantForQuestion(shown, { timeStamp: steady - 1, detail: 0 })).toBe(false);
  expect(isMeantForQuestion(shown, { timeStamp: steady, detail: 2 })).toBe(false);
  expect(isMeantForQuestion(shown, { timeStamp: steady, detail: 1 })).toBe(true);
  expect(isMeantForQuestion(shown, { timeStamp: steady, detail: 0 })).toBe(true);
});
