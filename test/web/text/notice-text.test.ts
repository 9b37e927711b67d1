import { expect, it, test } from "vitest";
import { noticeText, withoutCommands, withoutIds } from "../../../web/src/text/notice-text.ts";

const id = (kind: string): string => `${kind}_01m7qcr3kvw5fw3vy0qag1jzg1`;

it.each([
  [`"${id("apr")}" was approved by user already.`, "This approval was approved by you already."],
  [`There is no approval "${id("apr")}".`, "This approval is not there any more."],
  [`There is no dead letter "${id("dlv")}".`, "This dead letter is not there any more."],
  [`There is no suggestion "${id("sug")}" here.`, "This suggestion is not there any more."],
  [`The delivery "${id("dlv")}" is pending, not dead.`, "This delivery is pending, not dead."],
  [`What ${id("run")} was given is not stored any more.`, "What this run was given is not stored any more."],
  [`It failed. ${id("chg")} is answered already.`, "It failed. This change is answered already."],
  [
    "my_very_long_function_name_here stays, and so does run_1",
    "my_very_long_function_name_here stays, and so does run_1",
  ],
])("[ui.no-ids] %s is said in words", (text, words) => {
  expect(withoutIds(text)).toBe(words);
});

it("[ui.no-ids] a notice about a message quotes it", () => {
  const notice = `cody could not answer ${id("msg")}: No model.\nSee the dead letters: they can be retried or dropped.`;
  expect(noticeText(notice, () => '"run the tests"')).toBe('cody could not answer "run the tests": No model.');
  expect(noticeText(notice)).toBe("cody could not answer this message: No model.");
  expect(
    noticeText("The budget is used up: 5 turns. Raise it in the file that sets it, then retry the dead letters."),
  ).toBe("The budget is used up: 5 runs.");
  expect(noticeText(`user voted for "wait" in the ballot "Ship?" (${id("bal")}) (1 of 2).`)).toBe(
    'You voted for "wait" in the ballot "Ship?" (1 of 2).',
  );
});

test("[ui.no-ids] a hint about an option of the terminal names the field of the page", () => {
  const hint = "Use it as it is, stop it first, or open another one with --tag.";
  expect(withoutCommands(hint)).toBe("Use it as it is, stop it first, or open another one with another tag.");
});
