import { homeFolder } from "../client/home.ts";
import { listProviders as listOf, type ProviderStatus } from "../engines/sdk/list-providers.ts";
import { openStoredKeys } from "./keys/stored-keys.ts";
import { packagePlaces } from "./providers/package-places.ts";

/** For the command line, which must not import engines. */
export type { ProviderStatus } from "../engines/sdk/list-providers.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the model providers, with the keys of this environment and those that are stored in the home. */
export async function listProviders(env: Environment, dir: string): Promise<ProviderStatus[]> {
  return listOf(await withStoredKeys(env), packagePlaces({ home: homeFolder(env), env, projectDir: dir }));
}

/** Returns the environment with the stored keys, which come first. */
export async function withStoredKeys(env: Environment): Promise<Environment> {
  return { ...env, ...(await openStoredKeys(homeFolder(env), env)()) };
}
