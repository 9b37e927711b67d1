import { Visitor } from "oxc-parser";
import type { Expression } from "oxc-parser";
import { runGate } from "./gate.ts";
import { typeScriptFiles } from "./project-files.ts";
import { type SourceFile, readSource } from "./source-file.ts";

/** The only files that use the real clock, real timers or real random numbers. */
const sources = ["src/kernel/clock.ts", "src/kernel/random.ts"];

const globals = new Set(["setTimeout", "setInterval"]);
const members = new Set(["Date.now", "Math.random", "performance.now", "process.hrtime", "AbortSignal.timeout"]);
const modules = new Set(["node:timers", "node:timers/promises", "timers", "timers/promises"]);

/**
 * Time and chance are injected, so that a test can replay them: `src/` takes a Clock and a Random. `setImmediate` is
 * allowed, because it depends on no clock.
 */
export function checkTimeAndChance(root: string): readonly string[] {
  return typeScriptFiles(root, "src")
    .filter((path) => !sources.includes(path))
    .flatMap((path) => uses(readSource(root, path)));
}

function uses(source: SourceFile): readonly string[] {
  const found: string[] = [];
  const report = (offset: number, what: string): void => {
    found.push(
      `${source.path}:${source.lineAt(offset)}: ${what}: take a Clock or a Random (src/kernel) as a parameter`,
    );
  };
  new Visitor({
    CallExpression: (node) => {
      const name = dottedName(node.callee).replace(/^globalThis\./, "");
      if (globals.has(name) || name === "Date") report(node.start, `${name}()`);
    },
    MemberExpression: (node) => {
      const name = dottedName(node).replace(/^globalThis\./, "");
      if (members.has(name)) report(node.start, name);
    },
    NewExpression: (node) => {
      if (dottedName(node.callee) === "Date" && node.arguments.length === 0) report(node.start, "new Date()");
    },
    ImportDeclaration: (node) => {
      const timers = node.specifiers.filter(
        (one) => one.type !== "ImportSpecifier" || one.local.name !== "setImmediate",
      );
      if (modules.has(node.source.value) && timers.length > 0) report(node.start, node.source.value);
    },
  }).visit(source.program);
  return found;
}

/** `a.b.c` for a chain of plain names, "" for anything else. */
function dottedName(node: Expression): string {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.property.type !== "Identifier" || node.computed) return "";
  const left = dottedName(node.object);
  return left === "" ? "" : `${left}.${node.property.name}`;
}

if (import.meta.main) await runGate("time and chance", checkTimeAndChance);
