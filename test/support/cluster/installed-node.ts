import { commandFolder, type Answer, type RunOptions } from "../daemon/installed-command.ts";
import type { TestServer } from "../postgres/server.ts";

/** A machine with the installed command: what a person types there, with a home and a clone of the project. */
export interface InstalledNode extends AsyncDisposable {
  readonly project: string;
  type(args: readonly string[], options?: Pick<RunOptions, "command" | "env">): Promise<Answer>;
}

/** The daemon is started by the first command that needs it, or by `daemon start`, and stopped at the end. */
export function installedNode(
  server: TestServer,
  name: string,
  files: Readonly<Record<string, string>>,
): InstalledNode {
  const folder = commandFolder({ ...files, "moniro.yaml": "store: { url: $DATABASE_URL, schema: team }\n" });
  const env = {
    HOME: folder.path,
    AGENT_WORKER_HOME: folder.in("home"),
    AGENT_WORKER_PORT: "0",
    AGENT_WORKER_TRUST: "1",
    AGENT_WORKER_NODE: name,
    DATABASE_URL: server.urlOf("team").replace(/\?.*/, ""),
  };
  const type: InstalledNode["type"] = (args, options = {}) =>
    folder.run(args, { ...options, env: { ...env, ...options.env } });
  return {
    project: folder.path,
    type,
    async [Symbol.asyncDispose]() {
      await type(["daemon", "stop"]);
      folder[Symbol.dispose]();
    },
  };
}
