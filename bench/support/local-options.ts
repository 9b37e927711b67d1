import type { RunningProjectOptions } from "../../src/daemon/running-project.ts";
import { secretsIn } from "../../src/daemon/secrets-in-environment.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLog, LOG_LEVELS, type Log } from "../../src/kernel/log.ts";
import { silentLog } from "../../src/testing/silent-log.ts";
import { systemRandom } from "../../src/kernel/random.ts";
import { createRedactor, type Redactor } from "../../src/kernel/redact.ts";

/** What a project needs to run in this process, on this machine. */
export function localOptions(dir: string): RunningProjectOptions {
  const redactor = createRedactor({ secrets: secretsIn(process.env) });
  return {
    dir,
    clock: systemClock,
    random: systemRandom,
    log: logFor(process.env["AGENT_WORKER_LOG"], redactor),
    redactor,
    env: process.env,
  };
}

/** `AGENT_WORKER_LOG=debug|info|warn|error` writes what happens inside to standard error, one JSON object a line. */
function logFor(wanted: string | undefined, redactor: Redactor): Log {
  const level = LOG_LEVELS.find((each) => each === wanted);
  if (level === undefined) return silentLog;
  const sink = (line: string): void => void process.stderr.write(`${line}\n`);
  return createLog({ clock: systemClock, level, redactValue: (value) => redactor.redactValue(value), sink });
}
