import { join, relative } from "node:path";
import type { AgentDefinition } from "../../../domain/agent/definition.ts";
import { AUTO_MODEL, parseModel } from "../../../domain/agent/model.ts";
import { EngineFailure } from "../../../ports/engine.ts";
import { valueOrFailure } from "../../shared/failure-text.ts";
import type { CliCommand, CliDialect, CliTurn } from "../cli-dialect.ts";
import { CONFIG_FOLDER, cursorFiles, PLUGIN_FOLDER, serverNames } from "./cursor-files.ts";
import { cursorPermissions } from "./cursor-permissions.ts";
import { createCursorReader } from "./cursor-reader.ts";

const LOGIN = "Log in with: cursor-agent login, or set CURSOR_API_KEY";

/**
 * The Cursor command line, by its documentation: it is not free to use, so no test runs the real one. A system
 * prompt cannot be passed, so it is put before the first prompt of a session.
 */
export const cursorDialect: CliDialect = {
  name: "cursor",
  title: "Cursor",
  program: "cursor-agent",
  install: "Install it with: curl https://cursor.com/install -fsS | bash",
  login: LOGIN,
  // On Linux the login is in the configuration folder of XDG, which CURSOR_CONFIG_DIR does not move.
  passes: ["CURSOR_API_KEY", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"],
  sets: { NO_OPEN_BROWSER: "1" },
  command,
  reader: () => createCursorReader(LOGIN),
  probe: {
    versionArgs: ["--version"],
    keys: ["CURSOR_API_KEY"],
    status: { args: ["status"], loggedIn: (output) => /logged in/i.test(output) && !/not logged in/i.test(output) },
  },
};

function command(turn: CliTurn): CliCommand {
  const { agent, system, prompt, mcpServers, provider, session, folder } = turn;
  if (typeof provider?.baseUrl === "string" || typeof provider?.apiKey === "string") {
    throw new EngineFailure(
      "permanent",
      `Cursor talks to models through its own service only. Remove base_url and api_key of ${agent.name}, or use another backend.`,
    );
  }
  const permissions = cursorPermissions(
    agent.permissions,
    serverNames(mcpServers),
    // Relative to the folder in which it works; an absolute path is not in its documentation.
    turn.privateFolders.map((path) => relative(turn.cwd, path)),
  );
  const model = cursorModel(agent);
  return {
    args: [
      "--print",
      "--output-format",
      "stream-json",
      // Without a terminal Cursor stops instead of asking whether it may trust the folder and the servers.
      "--trust",
      "--approve-mcps",
      "--plugin-dir",
      join(folder, PLUGIN_FOLDER),
      ...(permissions.everything ? ["--force"] : []),
      ...(model === null ? [] : ["--model", model]),
      ...(session === null ? [] : ["--resume", session]),
    ],
    env: { CURSOR_CONFIG_DIR: join(folder, CONFIG_FOLDER) },
    // A session is resumed only with the system prompt it already contains.
    stdin: session === null ? `<instructions>\n${system}\n</instructions>\n\n${prompt}` : prompt,
    files: cursorFiles(turn, permissions),
  };
}

/** Cursor has its own names for the models of all providers. */
function cursorModel({ model }: Pick<AgentDefinition, "model">): string | null {
  const text = (model ?? "").trim();
  if (text === "" || text === AUTO_MODEL) return null;
  return valueOrFailure(parseModel(text)).model;
}
