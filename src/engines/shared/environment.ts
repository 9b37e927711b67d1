import { checkVariable } from "../../domain/agent/variable-names.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the daemon that every command gets. Keys and tokens of the daemon are not among them. */
const COMMAND_VARIABLES = "PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TZ TMPDIR TERM".split(" ");
/** Variables of the daemon that a worker process gets, besides the proxies. */
const WORKER_VARIABLES =
  "PATH HOME USER LANG LC_ALL LC_CTYPE TZ TMPDIR NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR".split(" ");
/** Windows cannot start a program without these. */
const WINDOWS_VARIABLES = "SystemRoot APPDATA LOCALAPPDATA USERPROFILE TEMP".split(" ");
const PROXY_VARIABLES = "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY".split(" ");

/** Returns the environment of a command: a few harmless variables of the daemon, and `added`. */
export function childEnvironment(env: Environment, added: Readonly<Record<string, string>>): Record<string, string> {
  return { ...pick(env, COMMAND_VARIABLES), ...added };
}

/**
 * Returns the environment of a worker process. It holds no other variable of the daemon and none of a project: with
 * NODE_TLS_REJECT_UNAUTHORIZED in an agent's `env`, a third party could read the person's key. An agent's `env` is for
 * the MCP servers it starts; keys are sent over stdin.
 */
export function workerEnvironment(env: Environment): Record<string, string> {
  const proxies = pick(env, [...PROXY_VARIABLES, ...PROXY_VARIABLES.map((name) => name.toLowerCase())]);
  // Node ignores the proxy variables without this one.
  const useProxies: Record<string, string> = Object.keys(proxies).length > 0 ? { NODE_USE_ENV_PROXY: "1" } : {};
  return { ...pick(env, [...WORKER_VARIABLES, ...WINDOWS_VARIABLES]), ...proxies, ...useProxies };
}

function pick(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])));
}

/**
 * Returns the variables that a definition adds to a process, with their values. Refuses one that no definition may set,
 * whichever way the definition came here: a file, a request, or the store of an older version.
 */
export function definedVariables(
  table: Readonly<Record<string, string>> | undefined,
  env: Environment,
): Result<Record<string, string>, Refusal> {
  for (const [name, value] of Object.entries(table ?? {})) {
    const checked = checkVariable(name, value);
    if (!checked.ok) return checked;
  }
  return expandReferences(table ?? {}, env);
}

const REFERENCE = /(?<=^|\s)\$([A-Za-z_]\w*)(?=\s|$)|\$\{([A-Za-z_]\w*)\}|\$\{\{\s*env\.([A-Za-z_]\w*)\s*\}\}/g;

/**
 * Returns a table of a definition (`env`, `headers`) with `$NAME`, `${NAME}` and `${{ env.NAME }}` replaced by values of
 * the daemon's environment. One pass: references inside a value are not replaced. Refuses a variable that is not set.
 */
export function expandReferences(
  table: Readonly<Record<string, string>>,
  env: Environment,
): Result<Record<string, string>, Refusal> {
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replace(REFERENCE, (_whole, plain?: string, braced?: string, dotted?: string) => {
      const name = plain ?? braced ?? dotted ?? "";
      const value = env[name];
      if (value === undefined) missing.add(name);
      return value ?? "";
    });
  const expanded = Object.fromEntries(Object.entries(table).map(([name, text]) => [name, expand(text)]));
  const [first] = missing;
  if (first === undefined) return ok(expanded);
  return refuse("invalid", `The environment variable ${first} is not set.`, { hint: `Set ${first} and try again.` });
}
