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
      // Most agents have none: opening each would take memory for ever.
      const context = personal(name, { onlyIfThere: true });
      return context.ok ? context.value.problems() : [];
    })
    .map(({ file, line, message }) => ({ severity: "error", file, line, column: 1, message }));
}
