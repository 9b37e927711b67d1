import type { Writable } from "node:stream";

/** Where a command reads from and writes to. Everything a command touches of the terminal goes through here. */
export interface Terminal {
  readonly out: Writable;
  readonly err: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whole standard input as text, for arguments given as `-`. */
  stdin(): Promise<string>;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** After "agent-worker", e.g. "check [FOLDER] [--json]". */
  readonly usage: string;
  readonly example: string;
  /** Answers the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** Wrong usage: told with the command's usage line, exit code 2. */
export class UsageError extends Error {}
