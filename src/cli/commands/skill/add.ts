import { importSkill } from "../../../files/skills/import-skill.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { defineCommand } from "../../command.ts";
import { Refused } from "../../refused.ts";
import { homeOf } from "./home-of.ts";

export const addSkill = defineCommand({
  about: "Adds a skill to the project, or with --user to your home folder.",
  words: ["SOURCE"],
  options: {
    replace: { about: "Take the place of a skill of the same name" },
    user: { about: "For all your projects" },
  },
  examples: ["agent-worker skill add owner/repository/path/to/skill@v1", "agent-worker skill add ../brewing --replace"],

  async run(invocation) {
    const { words, options, terminal } = invocation;
    const added = await importSkill(words[0] ?? "", {
      root: options.user ? homeOf(terminal) : invocation.projectDir(),
      scope: options.user ? "user" : "project",
      clock: systemClock,
      replace: options.replace,
      environment: terminal.env,
    });
    if (!added.ok) throw new Refused(added.error);
    return invocation.answer(added.value, `Added ${added.value.name}: ${added.value.description}\n`);
  },
});
