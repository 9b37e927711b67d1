/** Runs a shell command. Throws only the signal's reason, and only after everything the command started has ended. */
export type RunCommand = (command: string, timeoutMs: number, signal: AbortSignal) => Promise<CommandResult>;

export interface CommandResult {
  /** Standard output and standard error; bounded, if there is much of it. */
  readonly output: string;
  /** Null when it was killed. */
  readonly code: number | null;
  readonly timedOut: boolean;
}
