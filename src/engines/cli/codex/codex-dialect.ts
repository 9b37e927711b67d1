import { AUTO_MODEL } from "../../../domain/agent/model.ts";
import type { CliCommand, CliDialect, CliTurn } from "../cli-dialect.ts";
import { codexArguments, codexConfig } from "./codex-config.ts";
import { readCodexSession } from "./codex-events.ts";
import { createCodexReader } from "./codex-reader.ts";

const LOGIN = "Log in with: codex login; or set CODEX_API_KEY";

/** Codex, as of 0.166: `codex exec --json`, on top of the person's own configuration and login. */
export const codexDialect: CliDialect = {
  name: "codex",
  title: "Codex",
  program: "codex",
  install: "Install it with: npm install -g @openai/codex",
  login: LOGIN,
  passes: [
    "CODEX_HOME",
    "CODEX_API_KEY",
    "CODEX_ACCESS_TOKEN",
    "CODEX_CA_CERTIFICATE",
    "OPENAI_*",
    "AZURE_OPENAI_API_KEY",
  ],
  sets: {},
  command,
  reader: (session) => createCodexReader(LOGIN, session),
  probe: {
    versionArgs: ["--version"],
    keys: ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN"],
    status: { args: ["login", "status"], loggedIn: (output) => !/not logged in/i.test(output) },
  },
};

function command(turn: CliTurn): CliCommand {
  const session = readCodexSession(turn.session);
  const config = codexConfig(turn);
  const model = codexModel(turn.agent.model);
  return {
    args: [
      "exec",
      ...(session === null ? [] : ["resume"]),
      "--json",
      "--skip-git-repo-check",
      ...codexArguments(config),
      ...(model === null ? [] : ["--model", model]),
      ...(session === null ? [] : [session.id]),
      "-",
    ],
    env: config.env,
    stdin: turn.prompt,
    files: config.files,
  };
}

/** Removes `openai/` and `openai:`; the rest is a name of Codex. Null: its own choice. */
function codexModel(written: string | undefined): string | null {
  const model = (written ?? "").trim().replace(/^openai[/:]/, "");
  return model === "" || model === AUTO_MODEL ? null : model;
}
