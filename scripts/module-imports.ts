import { Visitor } from "oxc-parser";
import type { Expression, StringLiteral } from "oxc-parser";
import type { SourceFile } from "./source-file.ts";

/**
 * One import of another module, in any syntax. A computed specifier is undefined, unless it begins with "./" and
 * contains no "..": then it is its text with "*" for each computed part.
 */
export interface ModuleImport {
  readonly specifier: string | undefined;
  readonly line: number;
  /** `import type`: erased, so nothing is loaded. */
  readonly typesOnly: boolean;
}

export function moduleImports(source: SourceFile): readonly ModuleImport[] {
  const found: ModuleImport[] = [];
  const add = (from: Expression | StringLiteral, typesOnly = false): void => {
    found.push({ specifier: literalText(from), line: source.lineAt(from.start), typesOnly });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === "type"),
    ExportAllDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source);
    },
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    TSExternalModuleReference: (node) => add(node.expression),
    CallExpression: (node) => {
      const [argument] = node.arguments;
      if (argument !== undefined && argument.type !== "SpreadElement" && loadsModule(node.callee)) add(argument);
    },
  }).visit(source.program);
  return found;
}

/** `require(...)` and `process.getBuiltinModule(...)` reach modules without an import. */
function loadsModule(callee: Expression): boolean {
  if (callee.type === "Identifier") return callee.name === "require";
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false;
  return callee.property.name === "getBuiltinModule";
}

function literalText(node: Expression | StringLiteral): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral") return undefined;
  const text = node.quasis.map(({ value }) => value.cooked ?? "").join("*");
  return node.expressions.length === 0 || (text.startsWith("./") && !text.includes("..")) ? text : undefined;
}
