import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runGate } from "./gate.ts";
import { projectFiles } from "./project-files.ts";

const MAX_LINES = 350;
const MAX_FILES = 25;

/** Names that do not describe the content of a file. */
const vagueNames = new Set(["utils", "util", "helpers", "helper", "common", "lib", "misc", "index", "types"]);
const vagueWords = new Set(["utils", "util", "helpers", "helper"]);

/** What `test/` may contain besides `*.test.ts`. Fixtures may have any name, because some test odd names. */
const besidesTests = ["test/support/", "test/requirements/", "test/requirements.ts", "test/property.ts"];
/** Packages of real programs that some tests use. */
const installed = [
  "test/clis/",
  "test/conformance/",
  "test/browser/",
  "test/installers/",
  "test/postgres/",
  "test/terminal/",
];
const fixtures = "test/fixtures/";

/** A file holds one concept and is named after it: in kebab-case, with no vague name, and not too long. */
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
  return (
    [...folders]
      // Migrations are numbered, and each stays where it is.
      .filter(([folder, files]) => files.length > MAX_FILES && !folder.endsWith("/migrations"))
      .map(
        ([folder, files]) =>
          `${folder}: ${files.length} files, ${MAX_FILES} at most: group them by what they are about`,
      )
  );
}

function nameProblems(path: string): readonly string[] {
  const problems: string[] = [];
  const [, ...parts] = path.split("/");
  for (const part of parts) {
    if (part === "README.md") continue;
    const [stem = "", ...endings] = part.split(".");
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) problems.push(`"${part}" is not kebab-case`);
    if (vagueNames.has(stem) || stem.split("-").some((word) => vagueWords.has(word))) {
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
  return lines > MAX_LINES ? [`${lines} lines, ${MAX_LINES} at most: pull a concept out`] : [];
}

if (import.meta.main) await runGate("file names", checkFileNames);
