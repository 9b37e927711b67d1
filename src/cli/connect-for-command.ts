import type { Client } from "../client/client.ts";
import { connectToDaemon } from "../client/connect.ts";
import { ownVersion } from "../client/own-version.ts";
import type { Terminal } from "./output/terminal.ts";

/** Connects to the daemon, which is started if it does not run. Notes when the daemon has another version. */
export async function connectForCommand(terminal: Terminal, projectDir: string): Promise<Client> {
  const { env, progress } = terminal;
  const client = await connectToDaemon({ projectDir, autoStart: true, env, onProgress: progress });
  const { daemonVersion } = client;
  if (daemonVersion !== "" && daemonVersion !== ownVersion()) {
    terminal.note(
      `Note: the daemon is version ${daemonVersion}, this command ${ownVersion()}. Restart it with: agent-worker daemon stop\n`,
    );
  }
  return client;
}
