import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { EXIT } from "../../../contract/service/errors.ts";
import { checkProjectCode } from "../../../daemon/own-proposals/check-code.ts";
import { checkFile } from "../../../files/project/check-file.ts";
import { checkPersonalFiles } from "../../../files/project/check-personal-files.ts";
import { readEnvFile } from "../../../files/project/env-file.ts";
import { enclosingProject } from "../../../files/project/find-project.ts";
import { loadProject } from "../../../files/project/load-project.ts";
import { formatProblem } from "../../../files/yaml/problem.ts";
import { projectFolder } from "../../arguments/project-folder.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";

export const check = defineCommand({
  about: [
    "Reads every agent, workflow and project file, and what agents remember, and says what is wrong, with the place and",
    "the next step. With FILE only that file, inside or outside a project. Exit code 2: there is an error.",
  ].join("\n"),
  words: ["[FOLDER|FILE]"],
  examples: ["agent-worker check", "agent-worker check .workflows/review.yaml"],

  async run(invocation) {
    const { agents, workflows, problems } = await findMistakes(invocation);
    if (!invocation.json) for (const problem of problems) invocation.terminal.note(`${formatProblem(problem)}\n\n`);
    const counts = [
      countOf(agents.length, "agent"),
      countOf(workflows.length, "workflow"),
      countOf(problems.length, "problem"),
    ];
    invocation.print({ agents, workflows, problems }, `${counts.join(", ")}\n`);
    return problems.some(({ severity }) => severity === "error") ? EXIT.usage : EXIT.ok;
  },
});

async function findMistakes(invocation: Invocation): Promise<ReturnType<typeof checkFile>> {
  const { words, terminal } = invocation;
  const [named] = words;
  const path = named === undefined ? undefined : resolve(terminal.cwd, named);
  const kind = path === undefined ? "folder" : kindOf(path);
  if (kind === undefined) throw new UsageError(`There is no file or folder ${path}.`);
  if (kind === "file" && path !== undefined) {
    const dir = projectOfFile(invocation, path);
    return checkFile(dir, path, await loadProject(dir));
  }
  const dir = named === undefined ? invocation.projectDir() : projectFolder(terminal, named);
  const project = await loadProject(dir);
  return {
    agents: [...project.agents.keys()],
    workflows: [...project.workflows.keys()],
    problems: [
      ...project.problems,
      ...(await checkPersonalFiles(dir, project)),
      ...readEnvFile(dir).problems,
      ...checkProjectCode(dir),
    ],
  };
}

/** The project that contains the file, or the one in which it would be run. */
function projectOfFile({ options, projectDir, terminal }: Invocation, path: string): string {
  if (options["project"] !== undefined) return projectDir();
  return enclosingProject(dirname(path), terminal.env["HOME"]) ?? projectDir();
}

function kindOf(path: string): "file" | "folder" | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "file";
}
