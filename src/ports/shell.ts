/** Runs the setup commands of a workflow in the real shell of the machine: people write them, and people start them. */
export interface Shell {
  /**
   * Resolves when the command has ended; its background processes end with it. A command that exceeds its time or the
   * signal is stopped with its whole group. Output of any size is read, and what is stored is bounded. Throws only the
   * signal's reason.
   */
  run(command: ShellCommand, signal: AbortSignal): Promise<ShellResult>;
}

export interface ShellCommand {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Called with standard output and standard error as they arrive, for people to watch. */
  readonly watch?: (text: string) => void;
}

export interface ShellResult {
  /** Null when it was killed or could not be started: then `errors` says why. */
  readonly code: number | null;
  readonly timedOut: boolean;
  /** Standard output, without the line break at its end. */
  readonly output: string;
  /** True when the output was larger than what is stored: its end is missing. */
  readonly truncated: boolean;
  /** The end of standard error, for the message when it failed. */
  readonly errors: string;
}
