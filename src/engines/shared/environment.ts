import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a worker process finds in its environment: where programs and the home folder are, the language, the time zone
 * and the way out to the network. Nothing else of the daemon's gets through, and nothing of a project either: a
 * variable such as NODE_TLS_REJECT_UNAUTHORIZED in an agent's `env` would let somebody else read the person's key. An
 * agent's `env` is for the MCP servers it starts; keys travel over stdin.
 */
const INHERITED: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  // Windows cannot start a program without these.
  "SystemRoot",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
  "TEMP",
];
const PROXY: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"];

export function workerEnvironment(env: Environment): Record<string, string> {
  const proxies = chosen(env, [...PROXY, ...PROXY.map((name) => name.toLowerCase())]);
  // Node looks at the proxy variables only when told to.
  const obeyed: Record<string, string> = Object.keys(proxies).length > 0 ? { NODE_USE_ENV_PROXY: "1" } : {};
  return { ...chosen(env, INHERITED), ...proxies, ...obeyed };
}

function chosen(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])));
}

const REFERENCE = /(?<=^|\s)\$([A-Za-z_]\w*)(?=\s|$)|\$\{([A-Za-z_]\w*)\}|\$\{\{\s*env\.([A-Za-z_]\w*)\s*\}\}/g;

/**
 * A table of a definition (`env`, `headers`) with `$NAME`, `${NAME}` and `${{ env.NAME }}` replaced by what the
 * daemon's environment holds. One pass: what comes in is data and is not looked at again.
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
