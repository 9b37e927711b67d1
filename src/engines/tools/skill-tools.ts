import { z } from "zod";
import type { Skills } from "../../ports/skills.ts";
import type { ToolHost } from "../../ports/tools.ts";
import { boundText } from "../shared/bounded-output.ts";
import { done, failed, localTool, localToolHost } from "./local-tool.ts";

const MAX_ANSWER = 64 * 1024;

const readInput = z.object({
  name: z.string().min(1).max(64),
  file: z.string().min(1).max(1024).optional().describe("A file of the skill. Default: SKILL.md."),
});

/** Returns `skill_read` for agents that have skills; no tool otherwise. */
export async function createSkillTools(skills: Skills): Promise<ToolHost> {
  const listed = await skills.list();
  if (listed.length === 0) return localToolHost([]);
  return localToolHost([
    localTool({
      name: "skill_read",
      description: `Reads a skill: how something is done well here. Skills: ${listed.map(({ name }) => name).join(", ")}.`,
      input: readInput,
      execute: async ({ name, file }) => {
        const read = await skills.read(name, file);
        if (!read.ok) return failed([read.error.message, read.error.hint ?? ""].join(" ").trim());
        const { content, files } = read.value;
        const more = files.length === 0 ? "" : `\n\n[More files of this skill, by skill_read: ${files.join(", ")}]`;
        return done(boundText(content, MAX_ANSWER) + more);
      },
    }),
  ]);
}
