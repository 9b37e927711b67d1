/** Runs the setup commands of a workflow, in a real shell of the machine: a person wrote them, and a person starts them. */
export interface Shell {
  /**
   * Resolves when the command has ended, with its exit code; what it left in the background ends with it. A command that
   * outlives its time or the signal is stopped with its whole group. Output of any size is taken: what is kept is
   * bounded, nothing aborts. Throws only the signal's reason.
   */
  run(command: ShellCommand, signal: AbortSignal): Promise<ShellResult>;
}

export interface ShellCommand {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** Added to the small environment every command gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Called with standard output and standard error as they come, for people to watch. */
  readonly watch?: (text: string) => void;
}

export interface ShellResult {
  /** null when it was killed, or could not be started: then `errors` says why. */
  readonly code: number | null;
  readonly timedOut: boolean;
  /** Standard output, without the line break at its end. */
  readonly output: string;
  /** True when the output was larger than what is kept: its end is missing. */
  readonly truncated: boolean;
  /** The end of standard error, for the message when it failed. */
  readonly errors: string;
}
