import type { AgentDefinition } from "../../../domain/agent/definition.ts";
import { AUTO_MODEL, parseModel } from "../../../domain/agent/model.ts";
import { EngineFailure } from "../../../ports/engine.ts";
import { valueOrFailure } from "../../shared/failure-text.ts";
import type { CliCommand, CliDialect, CliTurn } from "../cli-dialect.ts";
import { AGENT_NAME, opencodeConfig } from "./opencode-config.ts";
import { createOpencodeReader } from "./opencode-reader.ts";

const LOGIN = "Log in with: opencode auth login";

/** OpenCode, as of 1.18: `opencode run --format json`, the prompt on its standard input. */
export const opencodeDialect: CliDialect = {
  name: "opencode",
  title: "OpenCode",
  program: "opencode",
  install: "Install it with: npm install -g opencode-ai",
  login: LOGIN,
  // Logins are in the folders of XDG; without one, the provider's key is the login.
  passes: [
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_DIR",
    "OPENCODE_API_KEY",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_GENERATIVE_AI_API_KEY",
    "OPENROUTER_API_KEY",
    "MISTRAL_API_KEY",
    "DEEPSEEK_API_KEY",
    "GROQ_API_KEY",
    "XAI_API_KEY",
  ],
  sets: {
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_TERMINAL_TITLE: "1",
  },
  command,
  reader: () => createOpencodeReader(LOGIN),
  probe: {
    versionArgs: ["--version"],
    keys: ["OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
    status: {
      args: ["auth", "list"],
      loggedIn: (output) => /[1-9]\d* (?:credential|environment variable)/.test(output),
    },
  },
};

function command(turn: CliTurn): CliCommand {
  const { agent, session, prompt } = turn;
  const model = opencodeModel(agent);
  const config = opencodeConfig(turn, model);
  return {
    args: [
      "run",
      "--format",
      "json",
      "--agent",
      AGENT_NAME,
      // A given title saves the model call that would make one.
      ...(session === null ? ["--title", `${AGENT_NAME}: ${agent.name}`] : ["--session", session]),
      ...(model === null ? [] : ["--model", model]),
    ],
    env: {
      OPENCODE_CONFIG_CONTENT: config.json,
      ...(agent.maxTokens === undefined ? {} : { OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX: String(agent.maxTokens) }),
    },
    stdin: prompt,
    files: config.files,
  };
}

/** Returns the model as OpenCode names it, `provider/model`; null leaves the choice to OpenCode. */
function opencodeModel({ model, provider }: Pick<AgentDefinition, "model" | "provider">): string | null {
  const text = (model ?? "").trim();
  if (text === "" || text === AUTO_MODEL) return null;
  const { provider: prefix, model: name } = valueOrFailure(parseModel(text));
  // With a provider named, the model may have the provider in front or not.
  if (provider !== undefined) return `${provider.name}/${prefix === provider.name ? name : text}`;
  if (prefix !== undefined) return `${prefix}/${name}`;
  throw new EngineFailure(
    "permanent",
    `OpenCode needs the provider of the model "${text}". Write provider/model; "opencode models" lists them.`,
  );
}
