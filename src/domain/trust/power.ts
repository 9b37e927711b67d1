import type { AgentDefinition, McpServer, ProviderChoice } from "../agent/definition.ts";
import { DEFAULT_ENGINE, engineKind } from "../agent/engines.ts";
import { embeddingOf } from "../guard/embedding-of.ts";
import { guardOf } from "../guard/guard-of.ts";
import type { WorkflowDefinition } from "../workflow/definition.ts";
import { LOGIN_VARIABLES, namedVariables, passedOnly } from "../workflow/start-variables.ts";

/**
 * A power is something a definition can do on this machine, beyond asking a model: a person sees it before it may happen.
 * It is a sentence without a subject. The sentence names the program, folder, address, variables and values that belong
 * together, so that a change of any of them is another power. It belongs to the agent or workflow it was seen with.
 */
/** The powers of an agent, as it is defined or as a workflow uses it. Its permissions are compared separately. */
export function agentPowers(definition: AgentDefinition): readonly string[] {
  const { backend = DEFAULT_ENGINE, command, cwd, provider, mcpServers = {}, env = {} } = definition;
  const powers: string[] = [];
  if (engineKind(backend) === "program") powers.push(`run the program ${backend}${inFolder(cwd)}`);
  if (command !== undefined) powers.push(`run${inFolder(cwd)} ${commandLine(command)}`);
  if (provider !== undefined) powers.push(...providerPowers(provider, "send what it reads"));
  const embedding = embeddingOf(definition);
  if (embedding?.provider !== undefined) {
    powers.push(...providerPowers(embedding.provider, "send its memories, notes and conversations"));
  }
  const guard = guardOf(definition);
  if (guard.model !== undefined && guard.provider !== undefined) {
    powers.push(...providerPowers(guard.provider, "let its guard send what it reads and remembers"));
  }
  for (const [name, server] of Object.entries(mcpServers)) powers.push(serverPower(name, server));
  for (const [name, value] of Object.entries(env)) {
    const variable = variableIn(value);
    powers.push(
      variable === undefined
        ? `set the variable ${name} to ${quoted(value)} for its program`
        : `read the variable ${variable}, as ${name} of its program`,
    );
  }
  return powers;
}

/** The powers of a workflow itself. Those of its agents are theirs. */
export function workflowPowers(workflow: WorkflowDefinition): readonly string[] {
  const { setup, workspace, env = {} } = workflow;
  const values = Object.entries(env).filter(([name, value]) => !passedOnly(name, value));
  return [
    ...setup.map(({ shell, cwd }) => `run in a shell${inFolder(cwd)}, before it starts: ${shell.trim()}`),
    ...(setup.length === 0 ? [] : [`use your logins in these commands: ${LOGIN_VARIABLES.replaceAll(" ", ", ")}`]),
    ...namedVariables(workflow).map((name) => `read the variable ${name}, for its agents to see`),
    ...values.map(([name, value]) => `set the variable ${name} to ${quoted(value)} for its setup`),
    ...(workspace.bind === undefined ? [] : [`write its channel and documents in ${quoted(workspace.bind)}`]),
  ];
}

/** What the project itself does: a store on a server receives everything that is said and done in it. */
export function storePowers({ url }: { readonly url?: string }): readonly string[] {
  if (url === undefined) return [];
  const variable = variableIn(url);
  const where = variable === undefined ? url.replace(/:[^:@/]*@/, "@") : `that the variable ${variable} names`;
  return [`keep everything that is said and done on the database server ${where}`];
}

/** Where a model is asked and with which key. The usual address of a provider with its usual key is no power. */
function providerPowers({ name, baseUrl, apiKeyEnv }: ProviderChoice, sends: string): readonly string[] {
  const key = apiKeyEnv === undefined ? "" : `, with the key in ${apiKeyEnv}`;
  if (baseUrl !== undefined) return [`${sends} to ${baseUrl}${key}`];
  return apiKeyEnv === undefined ? [] : [`${sends} to the provider ${name}${key}`];
}

function serverPower(name: string, server: McpServer): string {
  if ("url" in server) {
    const headers = Object.entries(server.headers ?? {}).map(([header, value]) => `${header}: ${value}`);
    return `use the MCP server ${name} at ${server.url}${withValues(headers)}`;
  }
  const { command, args = [], env = {}, cwd } = server;
  const values = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
  return `start the MCP server ${name}${inFolder(cwd)}: ${commandLine([command, ...args])}${withValues(values)}`;
}

function inFolder(cwd: string | undefined): string {
  return cwd === undefined ? "" : ` in ${quoted(cwd)}`;
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
