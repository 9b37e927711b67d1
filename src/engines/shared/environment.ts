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

/** Returns the values for names that definitions give: variables of the daemon, and of the `.env` of the project. */
export function nameableVariables(env: Environment, projectVariables?: () => Environment): Environment {
  return projectVariables === undefined ? env : { ...projectVariables(), ...env };
}
