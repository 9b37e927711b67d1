import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const repository = join(import.meta.dirname, "../..");
const PAGES = globSync(["*.md", "docs/**/*.md", "examples/*/README.md"], { cwd: repository }).toSorted();

/** A path of the repository, written from its root or, in short, from `src/`. */
const FILE_NAME = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|js|md|sql|svg))`/g;
const LINK = /\]\((?!https?:)([^)\s#]*)(?:#([\w-]+))?\)/g;

describe("what the documentation points to", () => {
  it.each(PAGES)("is there: %s", (page) => {
    const text = readFileSync(join(repository, page), "utf8");
    const files = [...text.matchAll(FILE_NAME)].map(([, file = ""]) => file).filter((file) => !/^\.[a-z]/.test(file));
    expect(
      files.filter((file) => !["", "src", dirname(page)].some((from) => existsSync(join(repository, from, file)))),
    ).toEqual([]);
    expect(
      [...text.matchAll(LINK)].map(([, path = "", anchor]) => problemOf(page, path, anchor)).filter(Boolean),
    ).toEqual([]);
  });

  it("is looked for in many places", () => {
    const named = PAGES.flatMap((page) => [...readFileSync(join(repository, page), "utf8").matchAll(FILE_NAME)]);
    expect(named.length).toBeGreaterThan(80);
  });
});

function problemOf(page: string, path: string, anchor: string | undefined): string | undefined {
  const target = path === "" ? join(repository, page) : join(repository, dirname(page), path);
  if (!existsSync(target)) return `${path} does not exist`;
  if (anchor === undefined) return undefined;
  const headings = [...readFileSync(target, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading));
  return headings.includes(anchor) ? undefined : `${path} has no heading #${anchor}`;
}

/** As GitHub names headings. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-");
}
