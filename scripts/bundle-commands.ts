import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { rolldown, type OutputOptions, type Plugin } from "rolldown";

/**
 * Puts what starts often into few files (see `bin/quick-commands.js`): from the sources for a checkout, from `dist/` for
 * the package. The commands are one script. Of the daemon, everything it always loads is in one module, and what it
 * loads now and then in modules beside it; other commands never run from there, so that no module exists twice.
 * `bundle.json` tells which file to run, and what it was made from, as it was then.
 */
const { BUNDLES }: { BUNDLES: Readonly<Record<string, readonly string[]>> } = createRequire(import.meta.url)(
  "../bin/quick-commands.js",
);
const root = join(import.meta.dirname, "..");

/** Loaded by workers, or for agents that need them. */
const PACKAGES_APART = /^(ai|@ai-sdk\/.*|just-bash|@agentclientprotocol\/sdk)$/;

export async function bundleCommands(from: "src" | "dist"): Promise<void> {
  for (const [name, commands] of Object.entries(BUNDLES)) await bundle(from, name, commands);
}

async function bundle(from: "src" | "dist", name: string, commands: readonly string[]): Promise<void> {
  const extension = from === "src" ? "ts" : "js";
  const folder = join(root, from === "src" ? "node_modules/.cache/agent-worker" : "dist/bundles", name);
  const source = (path: string): string => join(root, from, `${path}.${extension}`);
  const otherCommand = new RegExp(`/${from}/cli/commands/(?!(?:[a-z]+/)?(?:${commands.join("|")})[./])`);
  const imports = new Map<string, readonly string[]>();
  const sources = new Set<string>();
  const reading: Plugin = {
    name: "reading",
    // Its computed imports, written out: a bundle holds what it can see.
    load: (id) => (id === source("engines/load-engine") ? engineImports(join(root, from, "engines"), extension) : null),
    moduleParsed({ id, importedIds }) {
      imports.set(id, importedIds);
    },
    // Files that are found from a module's own place are looked for where the module was, not where the bundle is.
    transform(code, id) {
      if (!id.startsWith(join(root, from))) return undefined;
      sources.add(id);
      const place = relative(folder, id).replaceAll("\\", "/");
      return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  };
  await using building = await rolldown({
    cwd: root,
    input: source(name === "daemon" ? "cli/main" : "cli/quick-main"),
    platform: "node",
    logLevel: "silent",
    external: (id) => id.startsWith("node:") || otherCommand.test(id) || PACKAGES_APART.test(id),
    plugins: [reading],
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { output } = await building.write({
    dir: folder,
    minify: true,
    ...(name === "daemon" ? inModules(source, imports) : IN_ONE_SCRIPT),
  });
  for (const { fileName } of output) writeInAscii(join(folder, fileName));
  const made = { program: output[0].fileName, sources: from === "src" ? [...sources].map(asNow) : [] };
  writeFileSync(join(folder, "bundle.json"), JSON.stringify(made));
}

function engineImports(folder: string, extension: string): string {
  const files = globSync(`{*,cli/*}/engine.${extension}`, { cwd: folder });
  const loaders = files.map((file) => `${JSON.stringify(basename(dirname(file)))}: () => import("./${file}")`);
  return `const engines = {${loaders.join(", ")}};
export const loadEngine = async (name) => (await engines[name]()).engine;`;
}

/** Named by its content and an expression whose value is a function, as `bin/quick-commands.js` wants it. */
const IN_ONE_SCRIPT: OutputOptions = {
  format: "cjs",
  entryFileNames: "[name]-[hash].cjs",
  codeSplitting: false,
  postBanner: "(function (module, exports, require, __filename) {",
  postFooter: "})",
};

function inModules(source: (path: string) => string, imports: ReadonlyMap<string, readonly string[]>): OutputOptions {
  // Without `main`, which loads it: a module that is waited for cannot hold the one that waits.
  const always = [
    "cli/run-command",
    "cli/connect-for-command",
    "cli/commands/daemon/daemon",
    "cli/commands/system/status",
  ];
  const alone = ["daemon/main", "cli/commands/daemon/start"];
  return {
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    codeSplitting: {
      groups: [
        { name: "always", test: reachedFrom(always.map(source), imports), priority: 2 },
        { name: "alone", test: reachedFrom(alone.map(source), imports), priority: 1 },
      ],
    },
  };
}

/** One character beyond Latin-1, and Node keeps the whole text with two bytes for each. */
function writeInAscii(file: string): void {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/[^\0-\x7f]/g, escaped));
}

/** Whether a module is loaded with one of these. Asked only when all modules are known. */
function reachedFrom(
  roots: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): (id: string) => boolean {
  let reached: Set<string> | undefined;
  return (asked) => {
    if (reached === undefined) {
      reached = new Set();
      const pending = [...roots];
      for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
        if (reached.has(id)) continue;
        reached.add(id);
        pending.push(...(imports.get(id) ?? []));
      }
    }
    return reached.has(asked);
  };
}

function asNow(file: string): [string, number, number] {
  const { size, mtimeMs } = statSync(file);
  return [relative(root, file), size, mtimeMs];
}

if (import.meta.main) await bundleCommands("src");
