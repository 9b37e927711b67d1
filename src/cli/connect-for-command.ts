import type { Client } from "../client/client.ts";
import { connectToDaemon } from "../client/connect.ts";
import { ownVersion } from "../client/own-version.ts";
import { hasNothingToShow } from "./consent/trust-text.ts";
import { withConsent } from "./consent/with-consent.ts";
import type { Terminal } from "./output/terminal.ts";

/**
 * Connects to the daemon, which is started if it does not run. Notes when the daemon has another version. Asks for
 * consent when the project needs it; `trust` gives it in advance.
 */
export async function connectForCommand(terminal: Terminal, projectDir: string, trust: boolean): Promise<Client> {
  const { env, progress } = terminal;
  const client = await connectToDaemon({ projectDir, autoStart: true, env, onProgress: progress });
  const { daemonVersion } = client;
  if (daemonVersion !== "" && daemonVersion !== ownVersion()) {
    terminal.note(
      `Note: the daemon is version ${daemonVersion}, this command ${ownVersion()}. Restart it with: agent-worker daemon restart\n`,
    );
  }
  if (trust) await trustAsItIs(client);
  return withConsent(client, { terminal, trust });
}

/**
 * What nobody has seen yet would rest, and nothing would be refused. A folder without definitions stays as it is, and a
 * daemon that cannot say is asked by the command.
 */
async function trustAsItIs(client: Client): Promise<void> {
  const shown = await client.call("show-trust", {});
  if (!shown.ok || hasNothingToShow(shown.value)) return;
  if (shown.value.kind === "trusted" && shown.value.abilities.every(({ seen }) => seen)) return;
  await client.call("grant-trust", { seen: shown.value.fingerprint });
}
