import { createRequire } from "node:module";
import { PROVIDERS, type ProviderRow } from "../../domain/agent/providers.ts";

/** The state of a model provider of the sdk engine on this machine. It has the names of keys, never their values. */
export interface ProviderStatus {
  readonly name: string;
  readonly package: string;
  readonly installed: boolean;
  readonly keys: readonly { readonly variable: string; readonly set: boolean }[];
  /** An agent must name its address. */
  readonly needsBaseUrl: boolean;
  /** The model of `model: auto` with this provider; null when a model must be named. */
  readonly defaultModel: string | null;
  /** Installed, and its key is set if it needs one. */
  readonly ready: boolean;
}

const { resolve } = createRequire(import.meta.url);

/** Returns the providers in the order in which `model: auto` looks for a key. */
export function listProviders(env: Readonly<Record<string, string | undefined>>): ProviderStatus[] {
  return PROVIDERS.map((row) => {
    const installed = isInstalled(row);
    const keys = row.keyVariables.map((variable) => ({ variable, set: (env[variable] ?? "") !== "" }));
    const needsBaseUrl = row.needsBaseUrl === true;
    return {
      name: row.name,
      package: row.package,
      installed,
      keys,
      needsBaseUrl,
      defaultModel: row.defaultModel ?? null,
      ready: installed && (needsBaseUrl || keys.some(({ set }) => set)),
    };
  });
}

function isInstalled({ package: name }: ProviderRow): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    return false;
  }
}
