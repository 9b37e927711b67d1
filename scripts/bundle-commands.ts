import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { rolldown, type Plugin } from "rolldown";

/**
 * Puts the commands people type all day into one file (see `bin/quick-commands.js`): from the sources for a checkout,
 * from `dist/` for the package. What they load only now and then is in files beside it; the other commands never run
 * from here, so that no module exists twice. `sources.json` tells what it was made from, as it was then.
 */
const { QUICK_COMMANDS }: { QUICK_COMMANDS: readonly string[] } = createRequire(import.meta.url)(
  "../bin/quick-commands.js",
);
const root = join(import.meta.dirname, "..");

export async function bundleCommands(from: "src" | "dist"): Promise<void> {
  const extension = from === "src" ? "ts" : "js";
  const folder = join(root, from === "src" ? "node_modules/.cache/agent-worker/commands" : "dist/commands");
  const cli = join(root, from, "cli");
  const names = QUICK_COMMANDS.join("|");
  const otherCommand = new RegExp(`/${from}/cli/commands/(?!(?:${names})\\.${extension}$)`);
  // Without `main`, which waits for them: a file cannot wait for itself.
  const always = ["run-command", "connect-for-command", ...QUICK_COMMANDS.map((name) => `commands/${name}`)];

  const imports = new Map<string, readonly string[]>();
  const sources = new Set<string>();
  const reading: Plugin = {
    name: "reading",
    moduleParsed({ id, importedIds }) {
      imports.set(id, importedIds);
    },
    // Files that are found from a module's own place are looked for where the module was, not where the bundle is.
    transform(code, id) {
      if (!id.startsWith(root)) return undefined;
      sources.add(id);
      const place = relative(folder, id).replaceAll("\\", "/");
      return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  };
  await using bundle = await rolldown({
    cwd: root,
    input: join(cli, `main.${extension}`),
    platform: "node",
    logLevel: "silent",
    external: (id) => id.startsWith("node:") || otherCommand.test(id),
    plugins: [reading],
  });
  let loaded: ReadonlySet<string> | undefined;
  const isLoadedAlways = (id: string): boolean => {
    loaded ??= closure(
      always.map((name) => join(cli, `${name}.${extension}`)),
      imports,
    );
    return loaded.has(id);
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "main.mjs",
    chunkFileNames: "[name]-[hash].mjs",
    minify: true,
    codeSplitting: { groups: [{ name: "quick", test: isLoadedAlways }] },
  });
  writeFileSync(join(folder, "sources.json"), JSON.stringify(from === "src" ? [...sources].map(asNow) : []));
}

function closure(roots: readonly string[], imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    pending.push(...(imports.get(id) ?? []));
  }
  return reached;
}

function asNow(file: string): [string, number, number] {
  const { size, mtimeMs } = statSync(file);
  return [relative(root, file), size, mtimeMs];
}

if (import.meta.main) await bundleCommands("src");
