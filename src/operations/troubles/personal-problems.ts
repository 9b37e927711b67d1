import type { DefinitionProblemView } from "../../contract/agents.ts";
import type { PersonalProblem } from "../../ports/personal-context.ts";
import type { Services } from "../core/define.ts";

/** Returns what keeps the personal contexts of agents from being used. Definition files are not looked at. */
export function personalProblems(services: Pick<Services, "definitions" | "personal">): DefinitionProblemView[] {
  return services.definitions
    .agents()
    .flatMap(({ name }) => personalProblemsOf(services, name))
    .map(({ file, line, message }) => ({ severity: "error", file, line, column: 1, message }));
}

/** The same for one agent of the project. */
export function personalProblemsOf(
  { definitions, personal }: Pick<Services, "definitions" | "personal">,
  name: string,
): readonly PersonalProblem[] {
  if (definitions.agent(name) === undefined || definitions.isEphemeral(name)) return [];
  // Most agents have none: opening each would take memory for ever.
  const context = personal(name, { onlyIfThere: true });
  return context.ok ? context.value.problems() : [];
}
