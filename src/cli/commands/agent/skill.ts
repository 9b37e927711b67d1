import { homedir } from "node:os";
import { importSkill } from "../../../files/skills/import-skill.ts";
import { createSkills } from "../../../files/skills/skill-folders.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";

const list = defineCommand({
  about: "Lists the skills of the project and of your home folder.",
  examples: ["agent-worker skill list"],

  async run(invocation) {
    const projectDir = invocation.projectDir();
    const skills = await createSkills({ projectDir, homeDir: homeOf(invocation.terminal) }).list();
    const lines = skills.map(({ name, scope, description, source }) => {
      const where = source === null ? scope : `${scope}, from ${source}`;
      return `${name} (${where}): ${description}\n`;
    });
    return invocation.print({ skills }, () => lines.join("") || "There are no skills.\n");
  },
});

const add = defineCommand({
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
    return invocation.print(added.value, () => `Added ${added.value.name}: ${added.value.description}\n`);
  },
});

export const skill: CommandGroup = {
  about: "Skills are folders with a SKILL.md that agents are told of and read when they need them.",
  entries: [
    {
      name: "list",
      summary: "List the skills of the project and of your home folder",
      load: async () => list,
    },
    { name: "add", summary: "Add a skill from a folder or a git source", load: async () => add },
  ],
};

function homeOf({ env }: Terminal): string {
  return env["HOME"] ?? homedir();
}
