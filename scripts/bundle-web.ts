import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { projectRoot } from "./run-command.ts";

/**
 * Builds the web page into `web/dist/`: one script and one style sheet, named after their content so that browsers can
 * cache them, and the page that names them. `npm ci` does this for a checkout, `npm run build` for the package.
 */
const STYLES = ["colours", "frame", "parts", "channel", "views", "team", "edit"];

/** For the start screen of a phone; drawn from `icon.svg` by `node scripts/draw-icons.ts`. */
const ICONS = ["icon-192.png", "icon-512.png", "icon-maskable-512.png"];

/** Returns the files of the page by name. */
export async function buildPage(): Promise<ReadonlyMap<string, string | Buffer>> {
  const web = join(projectRoot, "web");
  const read = (path: string): string => readFileSync(join(web, path), "utf8");
  const script = await bundleScript(join(web, "src/main.tsx"));
  const style = STYLES.map((name) => minified(read(`src/style/${name}.css`))).join("");
  const [appFile, styleFile] = [hashed("app", "js", script), hashed("style", "css", style)];
  const page = read("page.html").replace("/ui/app.js", `/ui/${appFile}`).replace("/ui/style.css", `/ui/${styleFile}`);
  return new Map<string, string | Buffer>([
    [appFile, script],
    [styleFile, style],
    ["index.html", page],
    ["icon.svg", read("icon.svg")],
    ["app.webmanifest", read("app.webmanifest")],
    ...ICONS.map((name): [string, Buffer] => [name, readFileSync(join(web, name))]),
  ]);
}

export async function bundleWeb(): Promise<string> {
  const folder = join(projectRoot, "web/dist");
  const files = await buildPage();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  return folder;
}

async function bundleScript(entry: string): Promise<string> {
  await using building = await rolldown({
    input: entry,
    platform: "browser",
    logLevel: "warn",
    // Otherwise every element is emitted with a comment that marks it as pure.
    transform: { jsx: { pure: false } },
  });
  const { output } = await building.generate({ format: "esm", minify: true });
  const [{ code }] = output;
  return code;
}

/** Removes comments and unnecessary space. */
function minified(style: string): string {
  return style
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll(";}", "}");
}

function hashed(name: string, ending: string, content: string): string {
  return `${name}-${createHash("sha256").update(content).digest("hex").slice(0, 12)}.${ending}`;
}

if (import.meta.main) await bundleWeb();
