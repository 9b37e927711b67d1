import { holdProcess, systemClock } from "../kernel/clock.ts";
import type { Client } from "./client.ts";
import { connectToAddress, connectToDaemon } from "./connect.ts";

/** How a program finds the daemon it wants to use. */
export interface ClientOptions {
  /** The project the calls are about, by the absolute path of its folder; by default the daemon's first. */
  readonly project?: string;
  /** A daemon of your choice, with its token. Without them the user's own daemon is used. */
  readonly url?: string;
  readonly token?: string;
  /** Where the user's daemon is registered: by default `AGENT_WORKER_HOME`, or `.agent-worker` in the home folder. */
  readonly home?: string;
  /** Starts the user's daemon when it does not run. */
  readonly autoStart?: boolean;
}

/** For programs: a client that is connected. Throws a Fault, with a hint, when no daemon is there. */
export async function createClient(options: ClientOptions = {}): Promise<Client> {
  // Waiting for a daemon that is starting keeps no program alive by itself.
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
