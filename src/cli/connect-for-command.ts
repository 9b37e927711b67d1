import type { Client } from "../client/client.ts";
import { connectToDaemon } from "../client/connect.ts";
import { ownVersion } from "../client/own-version.ts";
import type { Terminal } from "./output/terminal.ts";

/** The daemon for one project, started when it is not there. One of another version is used, and that is said. */
export async function connectForCommand(terminal: Terminal, projectDir: string): Promise<Client> {
  const { env } = terminal;
  const onProgress = (text: string): void => {
    if (terminal.watched) terminal.note(`${text}\n`);
  };
  const client = await connectToDaemon({ projectDir, autoStart: true, env, onProgress });
  const { daemonVersion } = client;
  if (daemonVersion !== "" && daemonVersion !== ownVersion()) {
    terminal.note(
      `Note: the daemon is version ${daemonVersion}, this command ${ownVersion()}. Restart it with: agent-worker daemon stop\n`,
    );
  }
  return client;
}
