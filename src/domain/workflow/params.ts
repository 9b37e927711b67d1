import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { err, ok, type Result } from "../../kernel/result.ts";
import type { ParamSpec } from "./definition.ts";

export type ParamValue = string | number | boolean;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0"].map((word) => [word, false] as const),
]);
const ARGUMENT = /^(?:--)?([a-zA-Z_][\w-]*)(?:=([\s\S]*))?$/;

/**
 * Returns the values of a workflow's parameters: one text for each declared parameter, in the canonical spelling of its
 * type. An optional parameter without a value or default is empty. A refusal lists all problems.
 */
export function bindParams(
  specs: readonly ParamSpec[],
  values: Readonly<Record<string, ParamValue>>,
): Result<Record<string, string>, Refusal> {
  const names = specs.map(({ name }) => name);
  const problems = Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => `There is no parameter "${name}". ${hintForUnknown(name, names, "parameters")}`);

  const bound = specs.map((spec): readonly [string, string] => {
    const value = Object.hasOwn(values, spec.name) ? values[spec.name] : spec.default;
    if (value === undefined) {
      if (spec.required) problems.push(`The parameter "${spec.name}"${described(spec)} is required.`);
      return [spec.name, ""];
    }
    const text = coerce(spec, value);
    if (!text.ok) problems.push(text.error);
    return [spec.name, text.ok ? text.value : ""];
  });

  if (problems.length === 0) return ok(Object.fromEntries(bound));
  return refuse("invalid", problems.join(" "), {
    hint: names.length === 0 ? "Leave the parameters out." : `Give parameters as: -- ${specs.map(usage).join(" ")}`,
    details: { problems },
  });
}

/**
 * Parses the arguments after `--` on the command line: `--name value`, `--name=value`, `name=value` and `--flag`. A value
 * that begins with two dashes needs the `=`. `specs`, if known, distinguish a flag from a name with a value.
 */
export function parseParamArgs(
  argv: readonly string[],
  specs: readonly ParamSpec[] = [],
): Result<Record<string, string | boolean>, Refusal> {
  const flags = new Set(specs.filter(({ type }) => type === "boolean").map(({ name }) => name));
  const values = new Map<string, string | boolean>();
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name, inline] = ARGUMENT.exec(word) ?? [];
    if (name === undefined || (inline === undefined && !word.startsWith("--"))) {
      return refuse("invalid", `"${word}" is not a parameter.`, {
        hint: "Write --name value, --name=value or name=value.",
      });
    }
    if (values.has(name)) {
      return refuse("invalid", `The parameter "${name}" is given twice.`, { hint: "Give every parameter once." });
    }
    values.set(name, inline ?? takeValue(rest, flags.has(name)) ?? true);
  }
  return ok(Object.fromEntries(values));
}

function takeValue(rest: string[], isFlag: boolean): string | undefined {
  const next = rest[0];
  if (next === undefined || next.startsWith("--") || (isFlag && !BOOLEANS.has(next.toLowerCase()))) return undefined;
  return rest.shift();
}

function coerce(spec: ParamSpec, value: ParamValue): Result<string, string> {
  const text = canonical(spec.type, value);
  if (text === undefined) {
    if (typeof value === "boolean") return err(`The parameter "${spec.name}" needs a value, a ${spec.type}.`);
    return err(`The parameter "${spec.name}" must be a ${spec.type}; "${String(value).slice(0, 80)}" is not.`);
  }
  const choices = spec.choices?.map((choice) => canonical(spec.type, choice) ?? choice);
  if (choices === undefined || choices.includes(text)) return ok(text);
  return err(
    `The parameter "${spec.name}" cannot be "${text.slice(0, 80)}". ${hintForUnknown(text, choices, "values")}`,
  );
}

function canonical(type: ParamSpec["type"], value: ParamValue): string | undefined {
  const text = String(value).trim();
  if (type === "boolean") return BOOLEANS.get(text.toLowerCase())?.toString();
  if (typeof value === "boolean") return undefined;
  if (type === "string") return String(value);
  return NUMBER.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : undefined;
}

function described({ description }: ParamSpec): string {
  return description === undefined ? "" : ` (${description})`;
}

function usage({ name, type, required }: ParamSpec): string {
  const text = `--${name} <${type}>`;
  return required ? text : `[${text}]`;
}
