import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runGate } from "./gate.ts";
import { projectFiles } from "./project-files.ts";

/** Of a source, in lines. */
const LONGEST = 350;
/** Files of a folder of sources: a reader must be able to scan the names. */
const FULLEST = 25;
/** The second ending of sources that `scripts/generate.ts` writes. They may be long: no person edits them. */
const GENERATED = ".gen.ts";

/** Names that say nothing about the content of the file. */
const empty = new Set(["utils", "util", "helpers", "helper", "common", "lib", "misc", "index", "types"]);
const emptyParts = new Set(["utils", "util", "helpers", "helper"]);

/** Allowed in `test/` besides `*.test.ts`. Fixtures may have any name: some of them test odd names. */
const besidesTests = ["test/support/", "test/requirements/", "test/requirements.ts", "test/property.ts"];
/** Real programs that some tests run against. These folders contain only what is installed for them. */
const installed = ["test/clis/", "test/conformance/", "test/browser/"];
const fixtures = "test/fixtures/";

/**
 * Returns what is wrong with file names and sizes. One file is one concept and is named after it, in kebab-case; a
 * source is not too long, and a folder of sources does not have too many files.
 */
export function checkFileNames(root: string): readonly string[] {
  const paths = ["src", "web/src", "test", "scripts", "bench", "bin"]
    .flatMap((folder) => projectFiles(root, folder))
    .filter((path) => !path.startsWith(fixtures));
  const problems = paths.flatMap((path) =>
    [...nameProblems(path), ...lengthProblems(root, path)].map((problem) => `${path}: ${problem}`),
  );
  return [...problems, ...folderProblems(paths)];
}

function nameProblems(path: string): readonly string[] {
  const problems: string[] = [];
  const [, ...parts] = path.split("/");
  for (const part of parts) {
    const [stem = "", ...endings] = part.replace(GENERATED, ".ts").split(".");
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) problems.push(`"${part}" is not kebab-case`);
    if (empty.has(stem) || stem.split("-").some((word) => emptyParts.has(word))) {
      problems.push(`"${part}" names no concept; call it after what it holds`);
    }
    if (endings.length > 1 && endings.join(".") !== "test.ts") problems.push(`"${part}" has more than one ending`);
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
  if (!/^(src|web)\/.*\.tsx?$/.test(path) || path.endsWith(GENERATED)) return [];
  const lines = readFileSync(join(root, path), "utf8").trimEnd().split("\n").length;
  return lines > LONGEST ? [`${lines} lines, ${LONGEST} at most: pull a concept out`] : [];
}

function folderProblems(paths: readonly string[]): readonly string[] {
  const sources = paths.filter((path) => /^(?:web\/)?src\//.test(path));
  const byFolder = Map.groupBy(sources, (path) => path.slice(0, path.lastIndexOf("/")));
  return [...byFolder]
    .filter(([, files]) => files.length > FULLEST)
    .map(([folder, files]) => `${folder}: ${files.length} files, ${FULLEST} at most: make a folder for a part of them`);
}

if (import.meta.main) await runGate("file names", checkFileNames);
