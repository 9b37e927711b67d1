import { createSkills } from "../../../files/skills/skill-folders.ts";
import { defineCommand } from "../../command.ts";
import { homeOf } from "./home-of.ts";

export const listSkills = defineCommand({
  about: "Lists the skills of the project and of your home folder.",
  examples: ["agent-worker skill list"],

  async run(invocation) {
    const projectDir = invocation.projectDir();
    const skills = await createSkills({ projectDir, homeDir: homeOf(invocation.terminal) }).list();
    const lines = skills.map(({ name, scope, description, source }) => {
      const where = source === null ? scope : `${scope}, from ${source}`;
      return `${name} (${where}): ${description}\n`;
    });
    return invocation.answer({ skills }, lines.join("") || "There are no skills.\n");
  },
});
