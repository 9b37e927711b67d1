import { mockScriptPath } from "../../domain/agent/mock-script.ts";
import { resolveEntry } from "../../domain/agent/resolve.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { LoadedAgent, LoadedWorkflow } from "../definitions/load-definition.ts";
import { projectPath } from "../project-path.ts";
import { problem } from "../yaml/problem.ts";
import type { Place } from "../yaml/problem.ts";
import type { ListedFile } from "./project-file.ts";

/** Lists the scripts of agents on the mock engine, each once, with a place that names it. */
export function listMockScripts(
  agents: ReadonlyMap<string, LoadedAgent>,
  workflows: ReadonlyMap<string, LoadedWorkflow>,
): { readonly files: readonly ListedFile[]; readonly problems: readonly DefinitionProblem[] } {
  const files = new Map<string, ListedFile>();
  const problems: DefinitionProblem[] = [];
  const add = (settings: Parameters<typeof mockScriptPath>[0], file: string, place: Place): void => {
    const written = mockScriptPath(settings);
    if (written === null) return;
    const path = projectPath(written);
    if (!path.ok) {
      const { message, hint } = path.error;
      problems.push(problem(file, place, message, hint === undefined ? {} : { hint }));
    } else if (!files.has(path.value)) {
      files.set(path.value, { file: path.value, listed: { in: file, place } });
    }
  };

  for (const { definition, file, modelPlace } of agents.values()) add(definition, file, modelPlace);
  for (const { definition, file, modelPlaces } of workflows.values()) {
    for (const [name, entry] of Object.entries(definition.agents)) {
      const place = modelPlaces[name];
      // A ref with the model of its agent was already listed with that agent.
      if (place === undefined || (entry.kind === "ref" && entry.model === undefined && entry.backend === undefined)) {
        continue;
      }
      const resolved = resolveEntry(name, entry, (ref) => agents.get(ref)?.definition);
      if (resolved.ok) add(resolved.value.definition, file, place);
    }
  }
  return { files: [...files.values()], problems };
}
