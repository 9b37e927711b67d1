import { parseArgs } from "node:util";
import { EXIT } from "../../contract/errors.ts";
import { formatProblem } from "../../files/definitions/problem.ts";
import { loadProject } from "../../files/project/load-project.ts";
import { UsageError, type Command } from "../command.ts";
import { projectFolder } from "../project-folder.ts";

export const check: Command = {
  name: "check",
  summary: "Read every agent, workflow and project file and say what is wrong, with the place and the next step.",
  usage: "check [FOLDER] [--project DIR] [--json]",
  example: "agent-worker check",

  async run(args, terminal) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "boolean", default: false }, project: { type: "string" } },
    });
    if (positionals.length > 1) throw new UsageError("check takes one folder.");
    const dir = projectFolder(terminal, values.project ?? positionals[0]);
    const { agents, workflows, problems } = await loadProject(dir, { mode: "strict" });

    if (values.json) {
      const found = { agents: [...agents.keys()], workflows: [...workflows.keys()], problems };
      terminal.out.write(`${JSON.stringify(found)}\n`);
    } else {
      for (const problem of problems) terminal.err.write(`${formatProblem(problem)}\n\n`);
      terminal.out.write(
        `${count(agents.size, "agent")}, ${count(workflows.size, "workflow")}, ${count(problems.length, "problem")}\n`,
      );
    }
    return problems.some(({ severity }) => severity === "error") ? EXIT.usage : EXIT.ok;
  },
};

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
