import { registerHooks, type LoadHookSync, type ResolveHookSync } from "node:module";
import { fileURLToPath } from "node:url";

/** Code that may be imported, by its address: exactly the text that a person allowed, whatever the file says by now. */
interface AllowedCode {
  readonly text: string;
  /** Address of the folder of own proposals, with a slash at its end. */
  readonly folder: string;
  /** The query of the address, which all code of one version has. */
  readonly version: string;
}

const allowed = new Map<string, AllowedCode>();
let isHooked = false;

/** Own code imports this program under its name, also where nothing is installed. */
const OWN_MODULES: Readonly<Record<string, string>> = {
  "agent-worker": "../public-api",
  "agent-worker/client": "../../client/public-api",
  "agent-worker/contract": "../../contract/public-api",
  "agent-worker/testing": "../../testing/public-api",
};
/** Sources run as they are in a checkout, and compiled in a package. */
const EXTENSION = import.meta.url.endsWith(".ts") ? ".ts" : ".js";

/**
 * Imports a module of a project, and what it imports from its folder, from texts. `agent-worker` and `zod` are those of
 * this program. Everything else is resolved as usual. Another version is another module, so that changes are seen.
 */
export async function importCode(
  url: string,
  version: string,
  files: readonly { readonly url: string; readonly text: string }[],
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isHooked) registerHooks({ resolve: resolveCode, load: loadCode });
  isHooked = true;
  const query = `?v=${version}`;
  for (const { url: each, text } of files) allowed.set(`${each}${query}`, { text, folder, version: query });
  return (await import(`${url}${query}`)) as Readonly<Record<string, unknown>>;
}

/** Forgets the texts of an earlier version; its modules stay loaded, because nothing can unload them. */
export function forgetCode(folder: string, isCurrent: (version: string) => boolean): void {
  for (const [url, code] of allowed) {
    if (code.folder === folder && !isCurrent(code.version.slice("?v=".length))) allowed.delete(url);
  }
}

const resolveCode: ResolveHookSync = (specifier, context, next) => {
  const parent = context.parentURL === undefined ? undefined : allowed.get(context.parentURL);
  if (parent === undefined) {
    const code = allowed.get(specifier);
    return code === undefined ? next(specifier, context) : { url: specifier, shortCircuit: true };
  }
  const own = OWN_MODULES[specifier];
  if (own !== undefined) return { url: new URL(`${own}${EXTENSION}`, import.meta.url).href, shortCircuit: true };
  if (specifier === "zod" || specifier.startsWith("zod/")) {
    return { url: import.meta.resolve(specifier), shortCircuit: true };
  }
  if (!/^(?:\.{1,2}\/|file:|\/)/.test(specifier)) return next(specifier, context);
  const { href } = new URL(specifier, context.parentURL);
  if (!href.startsWith(parent.folder)) return next(specifier, context);
  const url = `${href}${parent.version}`;
  if (allowed.has(url)) return { url, shortCircuit: true };
  throw new Error(`${specifier} is no code file in the folder of ${fileURLToPath(context.parentURL ?? "")}`);
};

const loadCode: LoadHookSync = (url, context, next) => {
  const code = allowed.get(url);
  if (code === undefined) return next(url, context);
  const format = /\.m?ts\?/.test(url) ? "module-typescript" : "module";
  return { format, source: code.text, shortCircuit: true };
};
