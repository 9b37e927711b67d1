/**
 * The long runs: the properties of the pure layers with very many cases, then every file of `test/campaign/`, one
 * after the other. One seed drives them all; it is printed first, and `--seed` replays it.
 */
import { randomInt } from "node:crypto";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { moduleImports } from "./module-imports.ts";
import { typeScriptFiles } from "./project-files.ts";
import { projectRoot, runCommand } from "./run-command.ts";
import { readSource } from "./source-file.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, runs: { type: "string", default: "100000" } },
});
const seed = values.seed ?? process.env.FC_SEED ?? String(randomInt(2 ** 31));
console.log(`campaign: seed ${seed}; replay with \`npm run campaign -- --seed ${seed}\``);

const properties = ["test/kernel", "test/domain"]
  .flatMap((folder) => typeScriptFiles(projectRoot, folder))
  .filter((path) => moduleImports(readSource(projectRoot, path)).some(({ specifier }) => specifier === "fast-check"));
const parts = [
  { name: "properties", files: properties, env: { FC_RUNS: values.runs } },
  ...typeScriptFiles(projectRoot, "test/campaign")
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => ({ name: basename(path, ".test.ts"), files: [path], env: {} })),
].filter(({ name, files }) => files.length > 0 && (positionals.length === 0 || positionals.includes(name)));

const failed: string[] = [];
for (const [index, { name, files, env }] of parts.entries()) {
  console.log(`\n[${index + 1}/${parts.length}] ${name}`);
  const { ok, seconds } = await runCommand(["vitest", "run", ...files], {
    show: true,
    env: { ...env, CAMPAIGN: "1", FC_SEED: seed },
  });
  console.log(`${ok ? "ok  " : "FAIL"}  ${name} ${seconds.toFixed(1)} s`);
  if (!ok) failed.push(name);
}
console.log(`\ncampaign: ${parts.length} parts, seed ${seed}, failed: ${failed.join(", ") || "none"}`);
if (failed.length > 0 || parts.length === 0) process.exitCode = 1;
