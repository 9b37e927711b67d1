import type { Clock } from "../../kernel/clock.ts";
import { runProcess } from "../process/run-process.ts";
import { createBoundedOutput } from "../shared/bounded-output.ts";
import type { Environment } from "../shared/environment.ts";
import { findProgram } from "../shared/find-program.ts";
import { programEnvironment } from "../shared/program-environment.ts";
import type { CliDialect } from "./cli-dialect.ts";

/** Whether a command line can be used on this machine, as far as can be found out without calling a model. */
export interface CliReadiness {
  /** Its path; null when it is not installed. */
  readonly program: string | null;
  readonly version: string | null;
  readonly login: "yes" | "no" | "unknown";
  /** What to do next, as one sentence; null when nothing is missing. */
  readonly advice: string | null;
}

const TIMEOUT_MS = 15_000;
const MAX_CHARS = 16 * 1024;

export async function probeCli(
  dialect: CliDialect,
  { clock, env, cwd }: { readonly clock: Clock; readonly env: Environment; readonly cwd: string },
  signal: AbortSignal,
): Promise<CliReadiness> {
  const program = await findProgram(dialect.program, env["PATH"] ?? "");
  if (program === null) return { program, version: null, login: "unknown", advice: `${dialect.install}.` };

  const ask = async (args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> => {
    const output = createBoundedOutput({ start: MAX_CHARS });
    const environment = programEnvironment(dialect, env);
    const request = { program, args, cwd, env: environment, timeoutMs: TIMEOUT_MS, onOutput: output.add };
    const end = await runProcess(clock, request, signal);
    return { code: end.started ? end.code : null, output: end.started ? output.head() : end.reason };
  };

  const answer = await ask(dialect.probe.versionArgs);
  if (answer.code !== 0) {
    return { program, version: null, login: "unknown", advice: `${program} does not start. ${dialect.install}.` };
  }
  const version = /\d+(?:\.\d+)+[\w.-]*/.exec(answer.output)?.[0] ?? null;
  const login = await loginOf(dialect, env, ask);
  return { program, version, login, advice: login === "no" ? `${dialect.login}.` : null };
}

async function loginOf(
  { probe: { keys, status } }: CliDialect,
  env: Environment,
  ask: (args: readonly string[]) => Promise<{ readonly code: number | null; readonly output: string }>,
): Promise<CliReadiness["login"]> {
  if (keys.some((name) => (env[name] ?? "") !== "")) return "yes";
  if (status === null) return "unknown";
  const { code, output } = await ask(status.args);
  if (code === null) return "unknown";
  return code === 0 && status.loggedIn(output) ? "yes" : "no";
}
