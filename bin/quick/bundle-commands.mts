import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { rolldown, type OutputOptions, type Plugin } from "rolldown";
import { writeBuildHash } from "./build-hash.mts";

/**
 * Writes the bundles that `quick-commands.js` runs: from `src/` for a checkout, from `dist/` for the package. The bundles
 * `commands` and `chat` are one script each. The bundle `daemon` is one module with everything that the daemon always loads, and further
 * modules for the rest. Other commands stay outside the bundles, so that no module is loaded twice. `bundle.json` names
 * the file to run, and the sources with their size and time.
 */
const { BUNDLES }: { BUNDLES: Readonly<Record<string, readonly string[]>> } = createRequire(import.meta.url)(
  "./quick-commands.js",
);
const root = join(import.meta.dirname, "../..");

/** The programs of the scripts. */
const PROGRAMS: Readonly<Record<string, string>> = { commands: "quick-main.mts", chat: "chat-main.mts" };

/** Loaded only by workers or for the agents that use them. */
const EXTERNAL_PACKAGES = /^(ai|@ai-sdk\/.*|just-bash|@agentclientprotocol\/sdk)$/;

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
  const plugin: Plugin = {
    name: "quick-commands",
    // `quick-main.mts` imports sources; a package is bundled from the built files.
    resolveId(id, importer) {
      if (from === "src" || importer === undefined || dirname(importer) !== import.meta.dirname) return undefined;
      return join(import.meta.dirname, id.replace("/src/", "/dist/").replace(/\.ts$/, ".js"));
    },
    // Its computed imports are written out, because a bundle contains only imports that it can see.
    load: (id) => (id === source("engines/load-engine") ? engineImports(join(root, from, "engines"), extension) : null),
    moduleParsed({ id, importedIds }) {
      imports.set(id, importedIds);
    },
    // A module finds files by its own URL, which must not become the URL of the bundle.
    transform(code, id) {
      if (!id.startsWith(join(root, from)) && dirname(id) !== import.meta.dirname) return undefined;
      sources.add(id);
      const path = relative(folder, id).replaceAll("\\", "/");
      return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(path)}, import.meta.url).href`);
    },
  };
  await using building = await rolldown({
    cwd: root,
    input: name === "daemon" ? source("cli/main") : join(import.meta.dirname, PROGRAMS[name] ?? ""),
    platform: "node",
    logLevel: "silent",
    external: (id) => id.startsWith("node:") || otherCommand.test(id) || EXTERNAL_PACKAGES.test(id),
    plugins: [plugin],
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const { output } = await building.write({
    dir: folder,
    minify: true,
    ...(name === "daemon" ? moduleOutput(source, imports) : SCRIPT_OUTPUT),
  });
  if (name !== "daemon") checkComplete(output[0]);
  for (const { fileName } of output) escapeNonAscii(join(folder, fileName));
  const manifest = { program: output[0].fileName, sources: from === "src" ? [...sources].map(sizeAndTime) : [] };
  writeFileSync(join(folder, "bundle.json"), JSON.stringify(manifest));
  // A bundle that others can write to is not run, whatever the umask is.
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
}

/** A script that loads modules of the whole program at its start is slower than the whole program. */
function checkComplete({
  fileName,
  imports,
}: {
  readonly fileName: string;
  readonly imports: readonly string[];
}): void {
  const outside = imports.filter((id) => !id.startsWith("node:"));
  if (outside.length > 0)
    throw new Error(`${fileName} would load ${outside.join(", ")}: import it only where it is used.`);
}

function engineImports(folder: string, extension: string): string {
  const files = globSync(`{*,cli/*}/engine.${extension}`, { cwd: folder });
  const loaders = files.map((file) => `${JSON.stringify(basename(dirname(file)))}: () => import("./${file}")`);
  return `const engines = {${loaders.join(", ")}};
export const loadEngine = async (name) => (await engines[name]()).engine;`;
}

/** The script is an expression whose value is a function, which `quick-commands.js` calls. */
const SCRIPT_OUTPUT: OutputOptions = {
  format: "cjs",
  entryFileNames: "[name]-[hash].cjs",
  codeSplitting: false,
  postBanner: "(function (module, exports, require, __filename) {",
  postFooter: "})",
};

function moduleOutput(
  source: (path: string) => string,
  imports: ReadonlyMap<string, readonly string[]>,
): OutputOptions {
  // Without `main`: it awaits an import of this module, so it cannot be part of it.
  const always = [
    "cli/run-command",
    "cli/connect-for-command",
    "cli/commands/daemon/daemon",
    "cli/commands/system/status",
  ];
  const daemonProcess = ["daemon/main", "cli/commands/daemon/start"];
  return {
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    codeSplitting: {
      groups: [
        { name: "always", test: reachedFrom(always.map(source), imports), priority: 2 },
        { name: "daemon-process", test: reachedFrom(daemonProcess.map(source), imports), priority: 1 },
      ],
    },
  };
}

/** V8 stores a source text with two bytes for every character as soon as one character is beyond Latin-1. */
function escapeNonAscii(file: string): void {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/[^\0-\x7f]/g, escape));
}

/** Returns a test for modules that the roots import, directly or not. Call it only when all modules are parsed. */
function reachedFrom(
  roots: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): (id: string) => boolean {
  let reached: Set<string> | undefined;
  return (module) => {
    if (reached === undefined) {
      reached = new Set();
      const pending = [...roots];
      for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
        if (reached.has(id)) continue;
        reached.add(id);
        pending.push(...(imports.get(id) ?? []));
      }
    }
    return reached.has(module);
  };
}

function sizeAndTime(file: string): [string, number, number] {
  const { size, mtimeMs } = statSync(file);
  return [relative(root, file), size, mtimeMs];
}

if (import.meta.main) {
  await bundleCommands("src");
  writeBuildHash("src");
}
