import { PROVIDERS } from "../../domain/agent/providers.ts";
import { findProviderPackage, type FoundPackage, type PackagePlaces } from "./provider-packages.ts";

/** The state of a model provider of the sdk engine on this machine. It has the names of keys, never their values. */
export interface ProviderStatus {
  readonly name: string;
  readonly package: string;
  readonly installed: boolean;
  /** Where its package is; null when it is not installed. */
  readonly place: FoundPackage["place"] | null;
  readonly keys: readonly { readonly variable: string; readonly set: boolean }[];
  /** An agent must name its address. */
  readonly needsBaseUrl: boolean;
  /** The model of `model: auto` with this provider; null when a model must be named. */
  readonly defaultModel: string | null;
  /** Installed, and its key is set if it needs one. */
  readonly ready: boolean;
}

/** Returns the providers in the order in which `model: auto` looks for a key. `env` has the keys that are set or stored. */
export function listProviders(
  env: Readonly<Record<string, string | undefined>>,
  places: PackagePlaces = {},
): ProviderStatus[] {
  return PROVIDERS.map((row) => {
    const found = findProviderPackage(row.package, places);
    const installed = found !== undefined;
    const keys = row.keyVariables.map((variable) => ({ variable, set: (env[variable] ?? "") !== "" }));
    const needsBaseUrl = row.needsBaseUrl === true;
    return {
      name: row.name,
      package: row.package,
      installed,
      place: found?.place ?? null,
      keys,
      needsBaseUrl,
      defaultModel: row.defaultModel ?? null,
      ready: installed && (needsBaseUrl || keys.some(({ set }) => set)),
    };
  });
}
