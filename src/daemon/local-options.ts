import { systemClock } from "../kernel/clock.ts";
import { silentLog, type Log } from "../kernel/log.ts";
import { systemRandom } from "../kernel/random.ts";
import { createRedactor } from "../kernel/redact.ts";
import type { LiveOptions } from "./live-project.ts";

/** What a project needs to run in this process, on this machine. */
export function localOptions(dir: string, log: Log = silentLog): LiveOptions {
  return {
    dir,
    clock: systemClock,
    random: systemRandom,
    log,
    redactor: createRedactor({ secrets: secretsIn(process.env) }),
    env: process.env,
  };
}

/** Values of the environment that are secrets by their name: they never reach a file of ours. */
function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?$/i.test(name) ? [value] : [],
  );
}
