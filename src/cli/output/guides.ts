import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A page of the documentation that `help` shows. */
export interface Guide {
  readonly topic: string;
  readonly title: string;
  readonly text: string;
}

/** In the package and in a clone alike. */
const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));
/** Pages besides the guides that people read while they work. */
const PAGES = ["migration", "security-model"];

/** Returns the guides, by topic. */
export function listGuides(): readonly Guide[] {
  const folder = join(DOCS, "guides");
  const guides = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".md")) : [];
  const files = [...guides.map((name) => join(folder, name)), ...PAGES.map((name) => join(DOCS, `${name}.md`))];
  return files
    .filter((file) => existsSync(file))
    .map((file) => {
      const text = readFileSync(file, "utf8");
      const topic = file.replace(/^.*[\\/]|\.md$/g, "");
      return { topic, title: /^# (.+)$/m.exec(text)?.[1] ?? topic, text };
    });
}
