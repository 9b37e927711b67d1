import { createRequire } from "node:module";
import { PROVIDERS, type ProviderRow } from "../engines/sdk/providers.ts";

/** A model provider of the sdk engine, as this machine has it. Of keys it holds only the names of their variables. */
export interface ProviderStatus {
  readonly name: string;
  readonly package: string;
  readonly installed: boolean;
  readonly keys: readonly { readonly variable: string; readonly set: boolean }[];
  /** An agent must name its address. */
  readonly needsBaseUrl: boolean;
  /** What `model: auto` means with it; null when the agent must name a model. */
  readonly defaultModel: string | null;
  /** Installed, and its key is set if it needs one. */
  readonly ready: boolean;
}

const { resolve } = createRequire(import.meta.url);

/** In the order in which `model: auto` looks for a key. */
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
