import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { tableProblems } from "./architecture-table.ts";
import { runGate } from "./gate.ts";
import { importCycles } from "./import-cycles.ts";
import {
  computedImports,
  type Allowed,
  type LayerName,
  confined,
  importableOutside,
  isLayer,
  layers,
} from "./layers.ts";
import { type ModuleImport, moduleImports } from "./module-imports.ts";
import { typeScriptFiles } from "./project-files.ts";
import { readSource } from "./source-file.ts";

const page = "docs/architecture.md";

/** Checks every import of `src/` and `web/` and the architecture page against the table of layers, and finds cycles. */
export function checkLayers(root: string): readonly string[] {
  const problems: string[] = [];
  const graph = new Map<string, readonly string[]>();
  for (const path of [...typeScriptFiles(root, "src"), ...typeScriptFiles(root, "web")]) {
    const imports = moduleImports(readSource(root, path));
    graph.set(
      path,
      imports.flatMap((one) => importedFile(path, one)),
    );
    for (const one of imports) {
      const problem = objection(path, one);
      if (problem !== undefined) problems.push(`${path}:${one.line}: ${problem}`);
    }
    if (layerOf(path) === undefined) problems.push(`${path}:1: belongs to no layer; src/ holds layers only`);
  }
  for (const cycle of importCycles(graph)) problems.push(`${cycle[0]}:1: import cycle: ${cycle.join(" -> ")}`);
  if (existsSync(join(root, page))) problems.push(...tableProblems(page, readFileSync(join(root, page), "utf8")));
  return problems;
}

function objection(path: string, { specifier, typesOnly }: ModuleImport): string | undefined {
  const layer = layerOf(path);
  if (layer === undefined) return undefined;
  if (specifier === undefined) {
    if (computedImports.includes(path)) return undefined;
    return "imports a computed path, which cannot be checked; write the path as a string";
  }
  if (specifier.startsWith(".")) return fileObjection(layer, resolved(path, specifier), typesOnly);
  return moduleObjection(layer, path, specifier);
}

function fileObjection(layer: LayerName, target: string, typesOnly: boolean): string | undefined {
  if (importableOutside.includes(target)) return undefined;
  if (layer === "web" && layerOf(target) === "web") return undefined;
  if (!target.startsWith("src/")) return `must not import "${target}", which is outside src/`;
  const other = layerOf(target);
  const { imports, types = [] } = layers[layer];
  if (typesOnly && other !== undefined && types.includes(other)) return undefined;
  if (other === layer || (other !== undefined && other !== "testing" && allows(imports, other))) return undefined;
  return `layer "${layer}" must not import "${target.slice("src/".length)}" (allowed: ${list(imports)})`;
}

function moduleObjection(layer: LayerName, path: string, specifier: string): string | undefined {
  const builtin = isBuiltin(specifier);
  const name = builtin ? builtinName(specifier) : packageName(specifier);
  const allowed = builtin ? layers[layer].builtins : layers[layer].packages;
  if (!allows(allowed, name)) {
    return `layer "${layer}" must not import ${builtin ? "builtin" : "package"} "${name}" (allowed: ${list(allowed)})`;
  }
  const owners = confined[name] ?? [path];
  if (owners.some((owner) => path === owner || (owner.endsWith("/") && path.startsWith(owner)))) return undefined;
  return `"${name}" may be imported by ${owners.join(", ")} only`;
}

function allows<Name extends string>(allowed: Allowed<Name>, name: Name): boolean {
  return allowed === "everything" || allowed.includes(name);
}

function list(allowed: Allowed<string>): string {
  if (allowed === "everything") return "everything but testing";
  return allowed.length === 0 ? "none" : allowed.join(", ");
}

function importedFile(path: string, { specifier }: ModuleImport): readonly string[] {
  return specifier?.startsWith(".") === true ? [resolved(path, specifier)] : [];
}

function resolved(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier);
}

function layerOf(path: string): LayerName | undefined {
  if (path.startsWith("web/")) return "web";
  const [, folder = "", ...rest] = path.split("/");
  return rest.length > 0 && isLayer(folder) ? folder : undefined;
}

function builtinName(specifier: string): string {
  return specifier.startsWith("node:") ? specifier : `node:${specifier}`;
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

if (import.meta.main) await runGate("layers", checkLayers);
