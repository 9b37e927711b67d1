import type { CommandGroup } from "../../command.ts";

export const skill: CommandGroup = {
  about: "Skills are folders with a SKILL.md that agents are told of and read when they need them.",
  entries: [
    {
      name: "list",
      summary: "List the skills of the project and of your home folder",
      load: async () => (await import("../skill/list.ts")).listSkills,
    },
    {
      name: "add",
      summary: "Add a skill from a folder or a git source",
      load: async () => (await import("../skill/add.ts")).addSkill,
    },
  ],
};
