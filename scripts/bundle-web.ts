import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { projectRoot } from "./run-command.ts";

/**
 * Builds the web page into `web/dist/`: one script and one style sheet, named after their content so that browsers can
 * keep them, and the page that names them. `npm ci` does this for a checkout, `npm run build` for the package.
 */
const STYLES = ["colours", "frame", "parts", "channel", "views"];

/** By name. */
export async function buildPage(): Promise<ReadonlyMap<string, string>> {
  const web = join(projectRoot, "web");
  const read = (path: string): string => readFileSync(join(web, path), "utf8");
  const script = await bundleScript(join(web, "src/main.tsx"));
  const style = STYLES.map((name) => plain(read(`src/style/${name}.css`))).join("");
  const [app, look] = [hashed("app", "js", script), hashed("style", "css", style)];
  const page = read("page.html").replace("/ui/app.js", `/ui/${app}`).replace("/ui/style.css", `/ui/${look}`);
  return new Map([
    [app, script],
    [look, style],
    ["index.html", page],
    ["icon.svg", read("icon.svg")],
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
    // Otherwise every element carries a mark that it may be left out.
    transform: { jsx: { pure: false } },
  });
  const { output } = await building.generate({ format: "esm", minify: true });
  const [{ code }] = output;
  return code;
}

/** Without comments and the space that only people need. */
function plain(style: string): string {
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
