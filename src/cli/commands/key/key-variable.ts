import { findProvider, PROVIDERS } from "../../../domain/agent/providers.ts";
import { UsageError } from "../../arguments/usage-error.ts";

/** Returns the variable of a provider's key. A name in capital letters is the variable itself. */
export function keyVariable(name: string): string {
  const row = findProvider(name);
  const [variable] = row?.keyVariables ?? [];
  if (variable !== undefined) return variable;
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return name;
  if (row !== undefined) {
    throw new UsageError(
      `The provider ${name} has no key of its own.`,
      "Name the variable that an agent names with api_key: agent-worker login MY_KEY",
    );
  }
  const names = PROVIDERS.filter(({ keyVariables }) => keyVariables.length > 0).map((each) => each.name);
  throw new UsageError(`There is no provider "${name}".`, `One of ${names.join(", ")}.`, { given: name, among: names });
}
