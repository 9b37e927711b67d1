import { formatDuration } from "../../domain/schedule/duration.ts";
import type { SetupStep } from "../../domain/workflow/definition.ts";
import type { Scope } from "../../domain/workflow/scope.ts";
import { shellCommand } from "../../domain/workflow/shell-command.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Shell } from "../../ports/shell.ts";

export interface SetupParts {
  readonly shell: Shell;
  /** Returns the absolute folder of a step. Refused when it leads out of the project. */
  readonly folder: (cwd: string | undefined) => Result<string, Refusal>;
  /** Added to the values of placeholders. */
  readonly variables: Readonly<Record<string, string>>;
  readonly redact: (text: string) => string;
  readonly redactInParts: (text: string) => Promise<string>;
  readonly watch: (text: string) => void;
}

const DEFAULT_TIMEOUT_MS = 10 * 60_000;
const SHOWN_OUTPUT_CHARS = 2_000;
const MIB = 1024 * 1024;

/** Runs the setup steps of a workflow in order. Returns their outputs, which the steps after them can use. */
export async function runSetup(
  steps: readonly SetupStep[],
  scopeOf: (outputs: Readonly<Record<string, string>>) => Scope,
  parts: SetupParts,
  signal: AbortSignal,
): Promise<Result<Readonly<Record<string, string>>, Refusal>> {
  const outputs: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const command = shellCommand(step.shell, scopeOf(outputs));
    if (!command.ok) return command;
    const cwd = parts.folder(step.cwd);
    if (!cwd.ok) return cwd;
    const timeoutMs = step.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    parts.watch(`$ ${step.shell}\n`);
    const env = { ...parts.variables, ...command.value.env };
    const request = { command: command.value.command, env, cwd: cwd.value, timeoutMs, watch: parts.watch };
    const result = await parts.shell.run(request, signal);
    if (result.code !== 0) {
      const how = result.timedOut
        ? `took longer than ${formatDuration(timeoutMs)}`
        : `ended with code ${result.code ?? "unknown"}`;
      return refuse("failed", `Setup step ${index + 1} ${how}: ${parts.redact(step.shell)}`, {
        hint: parts.redact(result.errors || result.output.slice(-SHOWN_OUTPUT_CHARS)) || "It wrote nothing.",
        details: { step: index + 1, code: result.code, timedOut: result.timedOut },
      });
    }
    if (step.as !== undefined && result.truncated) {
      const most = `${Math.ceil(result.output.length / MIB)} MiB`;
      return refuse("failed", `Setup step ${index + 1} wrote more than ${most}: ${parts.redact(step.shell)}`, {
        hint: `So "${step.as}" would not be whole. Let the step write less, or write into a file and name the file.`,
        details: { step: index + 1, code: result.code, timedOut: false },
      });
    }
    if (step.as !== undefined) outputs[step.as] = await parts.redactInParts(result.output);
  }
  return ok(outputs);
}
