import type { DefinitionProblemView } from "../../contract/agents.ts";
import type { Services } from "../core/define.ts";

/** Returns what keeps the personal contexts of agents from being used. Definition files are not looked at. */
export function personalProblems({
  definitions,
  personal,
}: Pick<Services, "definitions" | "personal">): DefinitionProblemView[] {
  return definitions
    .agents()
    .filter(({ name }) => !definitions.isEphemeral(name))
    .flatMap(({ name }) => {
      const context = personal(name);
      return context.ok ? context.value.problems() : [];
    })
    .map(({ file, line, message }) => ({ severity: "error", file, line, column: 1, message }));
}
