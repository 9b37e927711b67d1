import { holdProcess, systemClock } from "../kernel/clock.ts";
import type { Client } from "./client.ts";
import { connectToAddress, connectToDaemon } from "./connect.ts";

/** Which daemon a program uses. */
export interface ClientOptions {
  /** Absolute path of the project of all calls; by default the daemon's first project. */
  readonly project?: string;
  /** Address of a daemon, with its token. Without them the user's own daemon is used. */
  readonly url?: string;
  readonly token?: string;
  /** Folder of the daemon's registration: by default `AGENT_WORKER_HOME`, or `.agent-worker` in the home folder. */
  readonly home?: string;
  /** Starts the user's daemon when it is not running. */
  readonly autoStart?: boolean;
}

/** Returns a connected client. Throws a Fault, with a hint, when no daemon is running. */
export async function createClient(options: ClientOptions = {}): Promise<Client> {
  // Waiting for a starting daemon does not keep the process alive by itself.
  using _alive = holdProcess();
  const { project, url, token, home, autoStart } = options;
  const projectDir = project === undefined ? {} : { projectDir: project };
  if (url !== undefined && token !== undefined) {
    return await connectToAddress({ url, token }, { clock: systemClock, ...projectDir });
  }
  return await connectToDaemon({
    ...projectDir,
    ...(home === undefined ? {} : { home }),
    ...(autoStart === undefined ? {} : { autoStart }),
  });
}
