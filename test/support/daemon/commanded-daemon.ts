import { expect } from "vitest";
import { startTestDaemon, type TestDaemon, type TestDaemonOptions } from "./daemon.ts";
import { runInstalled, type Answer, type RunOptions } from "./installed-command.ts";

/** A daemon, and the command as its user runs it in the daemon's project. */
export interface CommandedDaemon extends TestDaemon {
  run(args: readonly string[], options?: Omit<RunOptions, "cwd">): Promise<Answer>;
  /** With `--json`: what the command printed, which must be all it printed, with exit code 0. */
  json(args: readonly string[], options?: Omit<RunOptions, "cwd">): Promise<unknown>;
}

export async function startCommandedDaemon(options: TestDaemonOptions = {}): Promise<CommandedDaemon> {
  const daemon = await startTestDaemon(options);
  const run: CommandedDaemon["run"] = (args, { env, ...more } = {}) =>
    runInstalled(args, { ...more, cwd: daemon.project, env: { ...daemon.env, ...env } });
  return {
    ...daemon,
    run,
    async json(args, more) {
      const answer = await run([...args, "--json"], more);
      expect(answer, args.join(" ")).toMatchObject({ exit: 0, err: "" });
      return JSON.parse(answer.out);
    },
  };
}
