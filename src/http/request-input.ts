import { hintForUnknown } from "../kernel/closest.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { FieldKind, InputFields } from "./input-fields.ts";

export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  /** Without its question mark; empty when there is none. */
  readonly query: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Combines path, query and body into one input. A field that is unknown or given twice is refused. Text becomes a
 * number, a boolean or a list, as the field requires; the operation checks the values. Without `fields` every name is
 * accepted, as text.
 */
export function gatherInput(
  fields: InputFields | undefined,
  { path, query, body }: RequestParts,
): Result<Readonly<Record<string, unknown>>, Refusal> {
  const inBody = Object.keys(body);
  for (const name of inBody) {
    if (fields !== undefined && !fields.has(name)) return unknownField(name, fields);
    if (Object.hasOwn(path, name)) return givenTwice(name);
  }
  const inPath = Object.entries(path);
  if (inPath.length === 0 && query === "") return ok(body);

  const gathered = new Map<string, unknown>(inPath.map(([name, text]) => [name, read(text, fields?.get(name))]));
  const search = new URLSearchParams(query);
  for (const name of new Set(search.keys())) {
    if (fields !== undefined && !fields.has(name)) return unknownField(name, fields);
    const texts = search.getAll(name);
    const kind = fields?.get(name);
    const [text = ""] = texts;
    if (gathered.has(name) || Object.hasOwn(body, name) || (texts.length > 1 && kind !== "list")) {
      return givenTwice(name);
    }
    gathered.set(name, kind === "list" ? texts.flatMap((each) => each.split(",")) : read(text, kind));
  }
  for (const name of inBody) gathered.set(name, body[name]);
  return ok(Object.fromEntries(gathered));
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

function read(text: string, kind: FieldKind = "text"): unknown {
  if (kind === "number" && NUMBER.test(text)) return Number(text);
  if (kind === "boolean" && (text === "true" || text === "1")) return true;
  if (kind === "boolean" && (text === "false" || text === "0")) return false;
  return text;
}

function unknownField(name: string, fields: InputFields) {
  const names = [...fields.keys()];
  return refuse("invalid", `There is no field "${name}" here.`, {
    hint: names.length === 0 ? "This takes no fields." : hintForUnknown(name, names, "fields"),
    details: { field: name, known: names },
  });
}

function givenTwice(name: string) {
  return refuse("invalid", `The field "${name}" is given twice.`, { details: { field: name } });
}
