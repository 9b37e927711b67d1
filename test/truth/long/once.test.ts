import { describe, expect, it } from "vitest";
import { startEveryToolTeam } from "../../support/team/every-team-tool.ts";
import { expectEffectsOnce, withoutIds } from "../../support/team/expect-effects-once.ts";

/** The files that the step changes, in the order of its calls: the daemon is killed before and after each is changed. */
const FILES = (word: string): readonly string[] => [
  `/${word}.md`,
  "/log.md",
  "/plan.md",
  "/learned.yaml",
  "/index.md",
  `-note-${word}.md`,
];

/** No part of another, and letters only: ids and counts are taken out of the answers. */
const WORDS = ["amber", "basalt", "cobalt", "dolomite", "emerald", "feldspar", "garnet", "hematite", "iolite"];
const MORE_WORDS = ["jade", "kyanite", "lapis", "malachite", "nickel", "opal", "pyrite", "quartz", "ruby", "sapphire"];

describe("once means once, wherever it is cut off", () => {
  it("a step is killed before and after each of its files changes, and does each thing once [once.effects]", async () => {
    await using team = await startEveryToolTeam();
    const words = [...WORDS, ...MORE_WORDS].values();
    const nextWord = (): string => words.next().value ?? "topaz";
    const first = nextWord();
    const undisturbed = withoutIds(await team.step(first), first);
    for (const index of FILES("").keys()) {
      for (const when of ["before", "after"]) {
        const word = nextWord();
        const file = FILES(word)[index] ?? "";
        const answers = await team.killInStep(word, `${when}:${file}`);
        expect(withoutIds(answers, word), `${when} ${file}`).toEqual(undisturbed);
        await expectEffectsOnce(team, word);
      }
    }
  });
});
