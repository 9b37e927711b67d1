import { expect } from "vitest";
import type { EveryToolTeam } from "./every-team-tool.ts";

/** Each effect of the step for this word happened once; the call that was made twice on purpose, twice. */
export async function expectEffectsOnce(team: EveryToolTeam, word: string): Promise<void> {
  const times = (text: string, needle: string): number => text.split(needle).length - 1;
  const said = JSON.stringify(await team.call("peek-channel", { target: "@team", limit: 200 }));
  expect(times(said, `"said ${word}"`), "channel_send").toBe(1);
  const ballots = JSON.stringify(await team.call("list-ballots", { target: "@team", all: true }));
  expect(times(ballots, `"asked ${word}"`), "proposal_create").toBe(1);
  const documents = ".workspace/team/main/documents";
  expect(team.file(`${documents}/${word}.md`)).toBe(`made ${word}\n`);
  expect(times(team.file(`${documents}/log.md`), `logged ${word}`), "team_doc_append").toBe(2);
  expect(times(team.file(`${documents}/plan.md`), `planned ${word}`), "team_doc_write").toBe(1);
  const suggested = JSON.stringify(await team.call("list-suggestions", { target: "@team" }));
  expect(times(suggested, `suggested ${word}`), "team_doc_suggest").toBe(1);
  const memory = JSON.stringify(await team.call("list-memory", { agent: "alice" }));
  expect(times(memory, `The deploy of ${word}`), "memory_store").toBe(1);
  expect(times(memory, `The cat of ${word}`), "memory_forget").toBe(0);
  const questions = JSON.stringify(await team.call("list-questions", { agent: "bob" }));
  expect(times(questions, `asked-about ${word}`), "ask_agent").toBe(1);
  const souls = JSON.stringify(await team.call("list-soul-proposals", { agent: "alice" }));
  expect(times(souls, `"I noticed ${word} about how I answer."`), "soul_suggest").toBeGreaterThan(0);
  const feedback = JSON.stringify(await team.call("list-feedback", {}));
  expect(times(feedback, `feedback ${word}`), "feedback_submit").toBe(1);
  const rules = JSON.stringify(await team.call("list-rules", {}));
  expect(times(rules, `"rule-${word}"`), "rule_add").toBe(1);
  expect(times(team.file(".agents/alice/todo/index.md"), `todo ${word}\n`), "todo_add").toBe(1);
  expect(
    team.notes().filter((name) => name.includes(`note-${word}`)),
    "note_add",
  ).toHaveLength(1);
}

/** The answers without ids, revisions, sizes and numbers, which differ between two steps. */
export function withoutIds(answers: readonly string[], word: string): string[] {
  return answers.map((answer) =>
    answer
      .replaceAll(word, "WORD")
      // The second run finds the memory of the first.
      .replace(/ "fact-[^"]*" \[[^\]]*\] is about the same thing:.*$/, "")
      .replaceAll(/\b(?:msg|bal|sug|mem|rul|fbk|res|sol)_[\w:-]{8,}/g, "ID")
      .replaceAll(/[0-9a-f]{16,}/g, "HASH")
      .replaceAll(/\d+/g, "N"),
  );
}
