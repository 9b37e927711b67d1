import type { FileSpace } from "./file-tools.ts";

/** The shell and the files of one run of one agent, virtual or on the host. Disposing it ends every command. */
export interface AgentShell extends AsyncDisposable {
  readonly run: RunCommand;
  readonly files: FileSpace;
}

/** Runs a shell command. Throws only the signal's reason, and only after everything the command started has ended. */
export type RunCommand = (command: string, timeoutMs: number, signal: AbortSignal) => Promise<CommandResult>;

export interface CommandResult {
  /** Standard output and standard error, bounded. */
  readonly output: string;
  /** Null when it was killed. */
  readonly code: number | null;
  readonly timedOut: boolean;
}
