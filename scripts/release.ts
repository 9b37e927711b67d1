/**
 * Prepares a version and, with `--publish`, publishes it. Provenance is a statement of the CI that built the package: npm
 * makes it only where the CI gives the job an identity (`id-token: write`), so publishing elsewhere is refused.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "./run-command.ts";

const { values } = parseArgs({ options: { publish: { type: "boolean", default: false } } });
const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { readonly version: string };
const changelog = readFileSync(join(projectRoot, "CHANGELOG.md"), "utf8");
const output = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { cwd: projectRoot, encoding: "utf8" }).trim();

const problems = [
  ...(output("git", ["status", "--porcelain"]) === "" ? [] : ["there are changes that are not committed"]),
  ...(output("git", ["tag", "--points-at", "HEAD"]).split("\n").includes(`v${version}`)
    ? []
    : [`this commit has no tag v${version}`]),
  ...(changelog.includes(`\n## ${version}`) ? [] : [`CHANGELOG.md has no section "## ${version}"`]),
  ...(values.publish &&
  process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] === undefined &&
  process.env["NPM_ID_TOKEN"] === undefined
    ? ["this is no CI job with an identity, so the package would have no provenance"]
    : []),
];
for (const problem of problems) console.error(`release: ${problem}`);
if (problems.length > 0) process.exit(1);
const run = (program: string, args: readonly string[]): void =>
  void execFileSync(program, args, { cwd: projectRoot, stdio: "inherit" });
run("npm", ["run", "check"]);
run("npm", ["publish", "--provenance", "--access", "public", ...(values.publish ? [] : ["--dry-run"])]);
