import { PROVIDERS } from "../../domain/agent/providers.ts";

/** Returns the names of the variables with keys of providers that are set. */
export function namesOfKeys(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return PROVIDERS.flatMap(({ keyVariables }) => keyVariables).filter((name) => (env[name] ?? "") !== "");
}

/** Says which keys of this environment a daemon does not have, and what to do; undefined when it has all of them. */
export function keysOnlyHere(
  env: Readonly<Record<string, string | undefined>>,
  ofDaemon: readonly string[],
): { readonly names: readonly string[]; readonly message: string; readonly next: string } | undefined {
  const missing = namesOfKeys(env).filter((name) => !ofDaemon.includes(name));
  if (missing.length === 0) return undefined;
  const [provider] = PROVIDERS.filter(({ keyVariables }) => keyVariables.some((name) => missing.includes(name)));
  const isOne = missing.length === 1;
  return {
    names: missing,
    message: `${missing.join(", ")} ${isOne ? "is" : "are"} set in this terminal, and the daemon does not have ${isOne ? "it" : "them"}`,
    next: `Keep it with: agent-worker login ${provider?.name ?? "PROVIDER"}, or start the daemon anew from here: agent-worker daemon restart`,
  };
}
