import type { AgentDefinition, McpServer, ProviderChoice } from "../agent/definition.ts";
import { DEFAULT_ENGINE, engineKind } from "../agent/engines.ts";
import type { WorkflowDefinition } from "../workflow/definition.ts";
import { splitTemplate } from "../workflow/placeholder.ts";

/**
 * Something a definition can do on this machine, beyond asking a model: a person sees it before it may happen. The text
 * is the whole identity of a power. It names the program, address, variables and values that belong together, so that a
 * change of any of them is another power.
 */
export interface Power {
  readonly kind: "command" | "setup" | "server" | "address" | "variable" | "settings" | "data";
  readonly text: string;
}

/** The powers of an agent, as it is defined or as a workflow uses it. Its permissions are compared separately. */
export function agentPowers(definition: AgentDefinition): readonly Power[] {
  const { backend = DEFAULT_ENGINE, command, provider, mcpServers = {}, env = {} } = definition;
  const powers: Power[] = [];
  const kind = engineKind(backend);
  if (kind === "program") powers.push({ kind: "command", text: `run the program ${backend}` });
  if (command !== undefined) powers.push({ kind: "command", text: `run ${commandLine(command)}` });
  if (provider !== undefined) powers.push(...providerPowers(provider));
  for (const [name, server] of Object.entries(mcpServers)) powers.push(serverPower(name, server));
  for (const [name, value] of Object.entries(env)) {
    const variable = variableIn(value);
    powers.push(
      variable === undefined
        ? { kind: "variable", text: `set the variable ${name} to ${quoted(value)} for its program` }
        : { kind: "variable", text: `read the variable ${variable}, as ${name} of its program` },
    );
  }
  return powers;
}

/** The powers of a workflow itself. Those of its agents are theirs. */
export function workflowPowers({ setup, kickoff = "" }: WorkflowDefinition): readonly Power[] {
  const variables = [kickoff, ...setup.map(({ shell }) => shell)].flatMap(variablesOfTemplate);
  return [
    ...setup.map(({ shell, cwd }): Power => {
      const folder = cwd === undefined ? "" : ` in ${quoted(cwd)}`;
      return { kind: "setup", text: `run in a shell${folder}, before it starts: ${shell.trim()}` };
    }),
    ...variables.map((name): Power => ({ kind: "variable", text: `read the variable ${name}, for its agents to see` })),
  ];
}

/** Where a model is asked and with which key. The usual address of a provider with its usual key is no power. */
function providerPowers({ name, baseUrl, apiKeyEnv }: ProviderChoice): readonly Power[] {
  const key = apiKeyEnv === undefined ? "" : `, with the key in ${apiKeyEnv}`;
  if (baseUrl !== undefined) return [{ kind: "address", text: `send what it reads to ${baseUrl}${key}` }];
  return apiKeyEnv === undefined
    ? []
    : [{ kind: "address", text: `send what it reads to the provider ${name}, with the key in ${apiKeyEnv}` }];
}

function serverPower(name: string, server: McpServer): Power {
  if ("url" in server) {
    const headers = Object.entries(server.headers ?? {}).map(([header, value]) => `${header}: ${value}`);
    return { kind: "server", text: `use the MCP server ${name} at ${server.url}${withValues(headers)}` };
  }
  const { command, args = [], env = {}, cwd } = server;
  const folder = cwd === undefined ? "" : ` in ${quoted(cwd)}`;
  const values = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
  return {
    kind: "server",
    text: `start the MCP server ${name}${folder}: ${commandLine([command, ...args])}${withValues(values)}`,
  };
}

function withValues(values: readonly string[]): string {
  return values.length === 0 ? "" : `, with ${values.join(", ")}`;
}

function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(" ");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function variableIn(value: string): string | undefined {
  return /^\$\{?([A-Za-z_]\w*)\}?$/.exec(value)?.[1];
}

/** Returns the variables that `${{ env.NAME }}` names. A text that cannot be parsed is refused before it is used. */
function variablesOfTemplate(template: string): readonly string[] {
  const parts = splitTemplate(template);
  if (!parts.ok) return [];
  return parts.value.flatMap(({ placeholder }) =>
    placeholder?.name.startsWith("env.") === true ? [placeholder.name.slice("env.".length)] : [],
  );
}
