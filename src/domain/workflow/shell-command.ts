import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { isEnvironmentName, refuseUnknown, splitTemplate, type Placeholder } from "./placeholder.ts";
import type { Scope } from "./scope.ts";
import { quotingAfter, quotingPlace, START_OF_COMMAND, type QuotingPlace } from "./shell-quoting.ts";

/**
 * The command of a setup step. Values are never part of the command text: they are passed in the environment, and a
 * placeholder becomes a quoted reference to its variable. So the shell never parses a value.
 */
export interface ShellCommand {
  readonly command: string;
  /** To be added to the environment of the command. */
  readonly env: Readonly<Record<string, string>>;
}

/** The operating system limits a variable (Linux: 128 KiB with its name). A command that uses a longer value is refused. */
const MAX_VALUE_BYTES = 120 * 1024;

/** Values that the command does not use are passed too if they are small, because all variables share one limit. */
const MAX_UNUSED_VALUE_BYTES = 4 * 1024;

const REFERENCE: Readonly<Record<Exclude<QuotingPlace, "hard">, (variable: string) => string>> = {
  bare: (variable) => `"\${${variable}}"`,
  double: (variable) => `\${${variable}}`,
  single: (variable) => `'"\${${variable}}"'`,
};

/** `params.base` is AW_PARAM_BASE, the output `changes` is AW_CHANGES, `env.HOME` is AW_ENV_HOME. */
function shellVariable(name: string): string {
  const spelled = name.replace(/^params\./, "param.").replace(/[^a-zA-Z0-9]/g, "_");
  return `AW_${spelled.toUpperCase()}`;
}

export function shellCommand(template: string, scope: Scope): Result<ShellCommand, Refusal> {
  const parts = splitTemplate(template);
  if (!parts.ok) return parts;

  const used = new Map<string, Placeholder>();
  let command = "";
  let quoting = START_OF_COMMAND;
  for (const { literal, placeholder } of parts.value) {
    if (placeholder === undefined) {
      command += literal;
      quoting = quotingAfter(quoting, literal);
      continue;
    }
    if (!scope.has(placeholder.name)) return refuseUnknown(placeholder, scope.keys());
    const place = quotingPlace(quoting);
    if (place === "hard") return refusePlace(placeholder);
    used.set(placeholder.name, placeholder);
    const reference = REFERENCE[place](shellVariable(placeholder.name));
    command += reference;
    quoting = quotingAfter(quoting, reference);
  }

  const env = shellEnvironment(scope, used);
  return env.ok ? ok({ command, env: env.value }) : env;
}

function shellEnvironment(
  scope: Scope,
  used: ReadonlyMap<string, Placeholder>,
): Result<Record<string, string>, Refusal> {
  const env: Record<string, string> = {};
  const owners = new Map<string, string>();
  for (const [name, value] of scope) {
    const placeholder = used.get(name);
    if (placeholder === undefined && isEnvironmentName(name)) continue;
    const variable = shellVariable(name);
    const owner = owners.get(variable);
    if (owner !== undefined) {
      return refuse("conflict", `"${owner}" and "${name}" would both be the variable ${variable} of a setup command.`, {
        hint: "Rename one of them: letter case, dots and dashes make no difference to the variable.",
      });
    }
    owners.set(variable, name);
    const size = Buffer.byteLength(value);
    if (size <= (placeholder === undefined ? MAX_UNUSED_VALUE_BYTES : MAX_VALUE_BYTES) && !value.includes("\0")) {
      env[variable] = value;
    } else if (placeholder !== undefined) {
      return refuseValue(placeholder, size);
    }
  }
  return ok(env);
}

function refusePlace({ name, line, column }: Placeholder): Result<never, Refusal> {
  const variable = shellVariable(name);
  return refuse(
    "invalid",
    `\${{ ${name} }} at line ${line}, column ${column} stands where it cannot be quoted safely.`,
    {
      hint: `Backquotes, here-documents, arithmetic and \${...} take no placeholder; assign it first (X=\${{ ${name} }}), or use "$${variable}", which is set.`,
      details: { name, line, column, variable },
    },
  );
}

function refuseValue({ name, line, column }: Placeholder, size: number): Result<never, Refusal> {
  const why = size > MAX_VALUE_BYTES ? `has ${size} bytes` : "holds a zero byte";
  return refuse("too_large", `The value of \${{ ${name} }} ${why} and cannot be handed to a command.`, {
    hint: "Let the earlier step write it to a file, and read that file here.",
    details: { name, line, column, size },
  });
}
