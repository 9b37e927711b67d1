import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { OperationDeclaration } from "../src/contract/operation.ts";
import { operations } from "../src/contract/operations.ts";
import { runGate } from "./gate.ts";
import { operationRefusals } from "./operation-refusals.ts";

/**
 * Generates three files from the declarations in `src/contract/`:
 * - `operations/registry.gen.ts` finds the implementation of each operation by its file name. An operation without one
 *   is missing there, which the compiler reports.
 * - `contract/routes.gen.ts` holds only methods and paths. Clients use it, because loading the schemas takes longer than
 *   most commands do.
 * - `http/refusals.gen.ts` lists the codes with which each operation may refuse, for the description of the routes.
 */
const root = join(import.meta.dirname, "..");

export function generatedFiles(): ReadonlyMap<string, string> {
  const implementations = operations.flatMap(({ name }) => {
    const [file] = globSync(`src/operations/*/${name}.ts`, { cwd: root });
    return file === undefined ? [] : [{ name, file, identifier: camelCase(basename(file, ".ts")) }];
  });
  return new Map([
    ["src/operations/registry.gen.ts", registry(implementations)],
    ["src/contract/routes.gen.ts", routes(operations)],
    ["src/http/refusals.gen.ts", refusals(implementations)],
  ]);
}

/** Returns the generated files that are out of date. */
export function checkGenerated(): readonly string[] {
  return [...generatedFiles()].flatMap(([path, text]) =>
    existsSync(join(root, path)) && readFileSync(join(root, path), "utf8") === text
      ? []
      : [`${path}:1: is not what the declarations say; run: node scripts/generate.ts`],
  );
}

interface Implementation {
  readonly name: string;
  readonly file: string;
  readonly identifier: string;
}

const HEAD = "// Written by scripts/generate.ts. Do not edit.";

function registry(implementations: readonly Implementation[]): string {
  const imports = implementations
    .map(({ file, identifier }) => `import { ${identifier} } from "./${relative("src/operations", file)}";`)
    .toSorted();
  const rows = implementations.map(({ name, identifier }) =>
    name === identifier ? `  ${identifier},` : `  "${name}": ${identifier},`,
  );
  return [
    HEAD,
    ...imports,
    'import type { Implementations } from "./core/implementations.ts";',
    "",
    "export const implementations: Implementations = {",
    ...rows,
    "};",
    "",
  ].join("\n");
}

function routes(declared: readonly OperationDeclaration[]): string {
  const rows = declared.map(
    ({ name, method, path }) => `  { operation: "${name}", method: "${method}", path: "${path}" },`,
  );
  return [
    HEAD,
    'import type { OperationName } from "./operations.ts";',
    "",
    "export interface Route {",
    "  readonly operation: OperationName;",
    '  readonly method: "GET" | "POST" | "PUT" | "DELETE";',
    "  readonly path: string;",
    "}",
    "",
    "export const routes: readonly Route[] = [",
    ...rows,
    "];",
    "",
  ].join("\n");
}

function refusals(implementations: readonly Implementation[]): string {
  const rows = implementations.map(({ name, file }) => {
    const key = /^\w+$/.test(name) ? name : `"${name}"`;
    const codes = operationRefusals(root, file).map((code) => `"${code}"`);
    const line = `  ${key}: [${codes.join(", ")}],`;
    return line.length <= 120 ? line : [`  ${key}: [`, ...codes.map((code) => `    ${code},`), "  ],"].join("\n");
  });
  return [
    HEAD,
    'import type { OperationName } from "../contract/operations.ts";',
    'import type { RefusalCode } from "../kernel/refusal.ts";',
    "",
    "export const refusals: Readonly<Record<OperationName, readonly RefusalCode[]>> = {",
    ...rows,
    "};",
    "",
  ].join("\n");
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

if (import.meta.main) {
  if (process.argv.includes("--check")) await runGate("generated files", checkGenerated);
  else for (const [path, text] of generatedFiles()) writeFileSync(join(root, path), text);
}
