import { homedir } from "node:os";
import { parseArgs } from "node:util";
import { EXIT } from "../../contract/errors.ts";
import { importSkill } from "../../files/skills/import-skill.ts";
import { createSkills } from "../../files/skills/skill-folders.ts";
import { systemClock } from "../../kernel/clock.ts";
import { UsageError, type Command } from "../command.ts";
import { projectFolder } from "../project-folder.ts";
import { reportRefusal } from "../refusal-text.ts";

/** Skills are folders with a `SKILL.md` that agents are told of and read when they need them. */
export const skill: Command = {
  name: "skill",
  summary: "Add a skill to the project (or with --user to your home folder), or list the skills there are.",
  usage: "skill list | skill add SOURCE [--replace] [--user] [--project DIR] [--json]",
  example: "agent-worker skill add owner/repository/path/to/skill@v1",

  async run(args, terminal) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        replace: { type: "boolean", default: false },
        user: { type: "boolean", default: false },
        project: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
    const [action, source, ...more] = positionals;
    const projectDir = projectFolder(terminal, values.project);
    const homeDir = terminal.env["HOME"] ?? homedir();

    if (action === "list" && source === undefined) {
      const skills = await createSkills({ projectDir, homeDir }).list();
      const lines = skills.map(({ name, scope, description }) => `${name} (${scope}): ${description}\n`);
      terminal.out.write(values.json ? `${JSON.stringify({ skills })}\n` : lines.join("") || "There are no skills.\n");
      return EXIT.ok;
    }
    if (action !== "add" || source === undefined || more.length > 0) {
      throw new UsageError("skill takes `list`, or `add` and one source.");
    }
    const added = await importSkill(source, {
      root: values.user ? homeDir : projectDir,
      scope: values.user ? "user" : "project",
      clock: systemClock,
      replace: values.replace,
      environment: terminal.env,
    });
    if (!added.ok) return reportRefusal(terminal, added.error, values.json);
    terminal.out.write(
      values.json ? `${JSON.stringify(added.value)}\n` : `Added ${added.value.name}: ${added.value.description}\n`,
    );
    return EXIT.ok;
  },
};
