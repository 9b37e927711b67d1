import { globSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { rolldown, type Plugin } from "rolldown";

/**
 * Packages of which the program needs a small part, or that are small when they are bundled. With its dependencies `just-bash` is 80 MB, of which the virtual
 * shell needs 3: the rest are commands that it does not offer (see `src/engines/tools/virtual-shell.ts`). So the package
 * contains bundles of them, with the licenses of what is in a bundle, and does not depend on them.
 */
const BUNDLED = ["just-bash", "@agentclientprotocol/sdk", "@clack/prompts", "pg"];
/** The providers that come with the program, found by `src/engines/sdk/provider-packages.ts`. */
const PROVIDERS = ["anthropic", "openai", "google", "openai-compatible"];
/** Needed only by commands that the shell does not offer, or by formats that need a compiled module. */
const LEFT_OUT =
  /^(sql\.js|turndown|quickjs-emscripten|undici|@mongodb-js\/zstd|node-liblzma|pg-native|pg-cloudflare)$/;
const ABSENT = "\0absent:";
const root = join(import.meta.dirname, "..");

/** Writes the bundles into `dist/`, and lets everything that was built there import them. */
export async function bundlePackages(): Promise<void> {
  for (const name of BUNDLED) {
    const folder = join(root, "dist/bundles", name.replace(/\W+/g, "-").replace(/^-/, ""));
    await writeBundle(folder, { index: name });
    importBundle(name, join(folder, "index.js"));
  }
  const entries = PROVIDERS.map((name) => [name, `@ai-sdk/${name}`]);
  await writeBundle(join(root, "dist/bundles/providers"), Object.fromEntries(entries));
}

/** `input`: the packages, by the names of their files in the folder. */
async function writeBundle(folder: string, input: Readonly<Record<string, string>>): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const sources = new Set<string>();
  const plugin: Plugin = {
    name: "parts-of-packages",
    resolveId: (id) => (LEFT_OUT.test(id) ? `${ABSENT}${id}` : undefined),
    load(id) {
      if (!id.startsWith(ABSENT)) sources.add(id);
      return id.startsWith(ABSENT)
        ? `export default undefined;\nthrow new Error("${id.slice(ABSENT.length)} is not part of this program.");`
        : null;
    },
  };
  await using building = await rolldown({
    cwd: root,
    input,
    platform: "node",
    logLevel: "silent",
    external: (id) => id.startsWith("node:") || id === "zod" || id.startsWith("zod/"),
    plugins: [plugin],
  });
  await building.write({ dir: folder, minify: true, entryFileNames: "[name].js" });
  writeFileSync(join(folder, "LICENSES.txt"), licensesOf(sources));
}

function importBundle(name: string, bundle: string): void {
  const importing = new RegExp(`(from\\s*|import\\()(["'\`])${name}\\2`, "g");
  for (const file of globSync("**/*.{js,mjs}", { cwd: join(root, "dist") })) {
    const path = join(root, "dist", file);
    if (dirname(path) === dirname(bundle)) continue;
    const code = readFileSync(path, "utf8");
    const target = relative(dirname(path), bundle).split(sep).join("/");
    const specifier = JSON.stringify(target.startsWith(".") ? target : `./${target}`);
    const rewritten = code.replace(importing, (_, keyword: string) => `${keyword}${specifier}`);
    if (rewritten !== code) writeFileSync(path, rewritten);
  }
}

/** Returns the license text of each package that has a file in the bundle. */
function licensesOf(sources: ReadonlySet<string>): string {
  const folders = new Set([...sources].flatMap((source) => packageFolder(source) ?? []));
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        readonly name: string;
        readonly version: string;
        readonly license?: string;
      };
      const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
      const text = file === undefined ? `License: ${license ?? "unknown"}` : readFileSync(join(folder, file), "utf8");
      return `${name} ${version}\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

function packageFolder(source: string): string | undefined {
  const [, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(source) ?? [];
  const folder = name === undefined ? undefined : source.slice(0, source.lastIndexOf(name) + name.length);
  return folder !== undefined && existsSync(join(folder, "package.json")) ? folder : undefined;
}
