import type { Clock } from "../../kernel/clock.ts";
import type { Shell } from "../../ports/shell.ts";
import { runShell } from "../process/run-process.ts";
import { createBoundedOutput } from "../shared/bounded-output.ts";

/** As much as a message can hold without slowing others down. */
const MAX_OUTPUT_CHARS = 32 * 1024 * 1024;
const MAX_ERROR_CHARS = 4 * 1024;

/** The shell of the machine for setup commands. */
export function createSetupShell(clock: Clock): Shell {
  return {
    run: async ({ command, cwd, env, timeoutMs, watch }, signal) => {
      const output = createBoundedOutput({ start: MAX_OUTPUT_CHARS });
      const errors = createBoundedOutput({ end: MAX_ERROR_CHARS });
      const end = await runShell(
        clock,
        {
          command,
          cwd,
          env,
          timeoutMs,
          onOutput: (text, from) => {
            (from === "stdout" ? output : errors).add(text);
            watch?.(text);
          },
        },
        signal,
      );
      if (!end.started) errors.add(`The shell could not be started in ${cwd}: ${end.reason}`);
      return {
        code: end.started ? end.code : null,
        timedOut: end.started && end.timedOut,
        output: output.head().replace(/\r?\n$/, ""),
        truncated: output.leftOut() > 0,
        errors: errors.tail().trim(),
      };
    },
  };
}
