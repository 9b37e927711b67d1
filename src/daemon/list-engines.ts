import { tmpdir } from "node:os";
import { claudeDialect } from "../engines/cli/claude/claude-dialect.ts";
import type { CliDialect } from "../engines/cli/cli-dialect.ts";
import { probeCli } from "../engines/cli/probe-cli.ts";
import { codexDialect } from "../engines/cli/codex/codex-dialect.ts";
import { cursorDialect } from "../engines/cli/cursor/cursor-dialect.ts";
import { opencodeDialect } from "../engines/cli/opencode/opencode-dialect.ts";
import type { Clock } from "../kernel/clock.ts";
import { listProviders } from "./list-providers.ts";

/** An engine as this machine has it. */
export interface EngineStatus {
  readonly name: string;
  /** What must be installed for it; null for the engines that come with us. */
  readonly program: string | null;
  readonly found: boolean;
  /** Absolute; null when it is not found or there is nothing to find. */
  readonly path: string | null;
  readonly version: string | null;
  /** `unknown`: it does not say. */
  readonly login: "yes" | "no" | "unknown";
  /** The next step when it cannot be used yet; null when it can, as far as one can see. */
  readonly next: string | null;
}

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

const DIALECTS: readonly CliDialect[] = [claudeDialect, codexDialect, opencodeDialect, cursorDialect];

/** Every engine an agent can name as its `backend`. Needs no daemon and no project. */
export async function listEngines(machine: Machine): Promise<EngineStatus[]> {
  const programs = await Promise.all(DIALECTS.map((dialect) => programStatus(dialect, machine)));
  return [modelApi(machine.env), ...programs, acp, scripted];
}

/** Runs the program in a neutral folder: no project's settings change what it does. */
async function programStatus(dialect: CliDialect, machine: Machine): Promise<EngineStatus> {
  const { name, program } = dialect;
  const probed = await probeCli(dialect, { ...machine, cwd: tmpdir() }, new AbortController().signal);
  const { program: path, version, login, advice } = probed;
  // Without its full stop: people copy the command after the colon.
  const next = advice?.replace(/\.$/, "") ?? null;
  return { name, program, found: path !== null, path, version, login, next };
}

const builtIn = { program: null, found: true, path: null, version: null } as const;

/** The sdk engine is ready when one of its providers is. */
function modelApi(env: Machine["env"]): EngineStatus {
  const ready = listProviders(env).some((provider) => provider.ready && !provider.needsBaseUrl);
  const next = ready ? null : "Set the key of a provider and install its package: agent-worker providers";
  return { ...builtIn, name: "sdk", login: ready ? "yes" : "no", next };
}

const acp: EngineStatus = { ...builtIn, name: "acp", login: "unknown", next: "Name its command line in the agent." };
const scripted: EngineStatus = { ...builtIn, name: "mock", login: "yes", next: null };
