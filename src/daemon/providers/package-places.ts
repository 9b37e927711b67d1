import { join } from "node:path";
import type { PackagePlaces } from "../../engines/sdk/provider-packages.ts";

/** The folder of the home into which `providers add` installs packages. */
export function addedPackages(home: string): string {
  return join(home, "providers");
}

/** Returns where the packages of providers are looked for, besides the program. */
export function packagePlaces({
  home,
  env,
  projectDir,
}: {
  readonly home: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly projectDir: string;
}): PackagePlaces {
  return { ...(home === undefined ? {} : { added: addedPackages(home) }), env, project: projectDir };
}
