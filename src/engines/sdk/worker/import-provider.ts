import { createRequire } from "node:module";

/**
 * Loads a package of the table of providers from beside this program. They are required and not imported, because
 * neither the types nor a bundle may depend on packages that need not be installed.
 */
const load = createRequire(import.meta.url);

/** Undefined when the package is not installed. */
export function importProvider(packageName: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return load(packageName) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
