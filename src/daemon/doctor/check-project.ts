import { checkPersonalFiles } from "../../files/project/check-personal-files.ts";
import type { LoadedProject } from "../../files/project/load-project.ts";
import { checkProjectCode } from "../own-proposals/check-code.ts";
import { fine, warning, wrong, type Finding } from "./finding.ts";

/** Checks the definitions of the project and what its agents remember. Returns one finding for each mistake. */
export async function checkProject(dir: string, project: LoadedProject): Promise<Finding[]> {
  const { agents, workflows } = project;
  const problems = [...project.problems, ...(await checkPersonalFiles(dir, project)), ...checkProjectCode(dir)];
  const findings = problems.map(({ severity, file, line, column, message, hint }) => {
    const next = hint ?? "See: agent-worker check";
    return (severity === "error" ? wrong : warning)("project", `${file}:${line}:${column}: ${message}`, next);
  });
  if (findings.length > 0) return findings;
  if (agents.size + workflows.size === 0) {
    return [warning("project", `no agents and no workflows in ${dir}`, "Begin with: agent-worker init")];
  }
  return [fine("project", `agents: ${agents.size}, workflows: ${workflows.size}, in ${dir}`)];
}
