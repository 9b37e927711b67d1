import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { checkVariable } from "./variable-names.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /(?<=^|\s)\$([A-Za-z_]\w*)(?=\s|$)|\$\{([A-Za-z_]\w*)\}|\$\{\{\s*env\.([A-Za-z_]\w*)\s*\}\}/g;

/** Returns the names in `$NAME`, `${NAME}` and `${{ env.NAME }}`. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, plain, braced, dotted]) => plain ?? braced ?? dotted ?? []);
}

/**
 * Returns the variables that a definition adds to a process, with their values. Refuses one that no definition may set,
 * whichever way the definition came here: a file, a request, or the store of an older version.
 */
export function definedVariables(
  table: Readonly<Record<string, string>> | undefined,
  env: Environment,
): Result<Record<string, string>, Refusal> {
  for (const [name, value] of Object.entries(table ?? {})) {
    const checked = checkVariable(name, value);
    if (!checked.ok) return checked;
  }
  return expandReferences(table ?? {}, env);
}

/**
 * Returns a table of a definition (`env`, `headers`) with `$NAME`, `${NAME}` and `${{ env.NAME }}` replaced by values of
 * the environment. One pass: references inside a value are not replaced. Refuses a variable that is not set.
 */
export function expandReferences(
  table: Readonly<Record<string, string>>,
  env: Environment,
): Result<Record<string, string>, Refusal> {
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replace(REFERENCE, (_whole, plain?: string, braced?: string, dotted?: string) => {
      const name = plain ?? braced ?? dotted ?? "";
      const value = env[name];
      if (value === undefined) missing.add(name);
      return value ?? "";
    });
  const expanded = Object.fromEntries(Object.entries(table).map(([name, text]) => [name, expand(text)]));
  const [first] = missing;
  if (first === undefined) return ok(expanded);
  return refuse("invalid", `The environment variable ${first} is not set.`, { hint: `Set ${first} and try again.` });
}
