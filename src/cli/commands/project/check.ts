import { EXIT } from "../../../contract/service/errors.ts";
import { readEnvFile } from "../../../files/project/env-file.ts";
import { loadProject } from "../../../files/project/load-project.ts";
import { formatProblem } from "../../../files/yaml/problem.ts";
import { projectFolder } from "../../arguments/project-folder.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";

export const check = defineCommand({
  about: "Reads every agent, workflow and project file and says what is wrong, with the place and the next step.",
  words: ["[FOLDER]"],
  examples: ["agent-worker check"],

  async run(invocation) {
    const { words, terminal, json } = invocation;
    const dir = words[0] === undefined ? invocation.projectDir() : projectFolder(terminal, words[0]);
    const { agents, workflows, ...loaded } = await loadProject(dir, { mode: "strict" });
    const problems = [...loaded.problems, ...readEnvFile(dir).problems];
    if (!json) for (const problem of problems) terminal.note(`${formatProblem(problem)}\n\n`);
    const counts = [
      countOf(agents.size, "agent"),
      countOf(workflows.size, "workflow"),
      countOf(problems.length, "problem"),
    ];
    invocation.print(
      { agents: [...agents.keys()], workflows: [...workflows.keys()], problems },
      `${counts.join(", ")}\n`,
    );
    return problems.some(({ severity }) => severity === "error") ? EXIT.usage : EXIT.ok;
  },
});
