import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runGate } from "./gate.ts";
import { projectFiles } from "./project-files.ts";

const longest = 350;
/** More files than this in one folder cannot be scanned. */
const fullest = 25;

/** Names that say nothing about what is inside. */
const empty = new Set(["utils", "util", "helpers", "helper", "common", "lib", "misc", "index", "types"]);
const emptyParts = new Set(["utils", "util", "helpers", "helper"]);

/** What may lie in `test/` besides `*.test.ts`. Fixtures may be called anything: odd names are what some of them are for. */
const besidesTests = ["test/support/", "test/requirements/", "test/requirements.ts", "test/property.ts"];
/** Real programs that some tests are run against: what is installed for them, and nothing else. */
const installed = ["test/clis/", "test/conformance/", "test/browser/"];
const fixtures = "test/fixtures/";

/** One concept per file and the file name is the concept: kebab-case, nothing empty, nothing too long to be one. */
export function checkFileNames(root: string): readonly string[] {
  const paths = ["src", "web/src", "test", "scripts", "bench", "bin"]
    .flatMap((folder) => projectFiles(root, folder))
    .filter((path) => !path.startsWith(fixtures));
  const named = paths.flatMap((path) =>
    [...nameProblems(path), ...lengthProblems(root, path)].map((problem) => `${path}: ${problem}`),
  );
  return [...named, ...fullFolders(paths)];
}

function fullFolders(paths: readonly string[]): readonly string[] {
  const folders = Map.groupBy(
    paths.filter((path) => /^(src|web)\//.test(path)),
    (path) => dirname(path),
  );
  return [...folders]
    .filter(([, files]) => files.length > fullest)
    .map(
      ([folder, files]) => `${folder}: ${files.length} files, ${fullest} at most: group them by what they are about`,
    );
}

function nameProblems(path: string): readonly string[] {
  const problems: string[] = [];
  const [, ...parts] = path.split("/");
  for (const part of parts) {
    const [stem = "", ...endings] = part.split(".");
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) problems.push(`"${part}" is not kebab-case`);
    if (empty.has(stem) || stem.split("-").some((word) => emptyParts.has(word))) {
      problems.push(`"${part}" names no concept; call it after what it holds`);
    }
    if (endings.length > 1 && !["test.ts", "gen.ts"].includes(endings.join(".")))
      problems.push(`"${part}" has more than one ending`);
  }
  if (/\.([cm]?jsx?|[cm]ts|tsx)$/.test(path) && !/^bin\/|^web\/.*\.tsx$/.test(path))
    problems.push("sources end in .ts");
  if (
    path.startsWith("test/") &&
    !path.endsWith(".test.ts") &&
    ![...besidesTests, ...installed].some((place) => path.startsWith(place))
  ) {
    problems.push("tests end in .test.ts; what they share lies in test/support or test/fixtures");
  }
  if (!path.startsWith("test/") && path.endsWith(".test.ts")) problems.push("tests lie in test/");
  return problems;
}

function lengthProblems(root: string, path: string): readonly string[] {
  if (!/^(src|web)\/.*\.tsx?$/.test(path) || path.endsWith(".gen.ts")) return [];
  const lines = readFileSync(join(root, path), "utf8").trimEnd().split("\n").length;
  return lines > longest ? [`${lines} lines, ${longest} at most: pull a concept out`] : [];
}

if (import.meta.main) await runGate("file names", checkFileNames);
