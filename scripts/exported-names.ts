import type { BindingPattern, Declaration } from "oxc-parser";
import type { SourceFile } from "./source-file.ts";

/** A name that a file declares and exports. Classes count as types: their name is one. */
export interface ExportedName {
  readonly name: string;
  readonly kind: "type" | "value";
}

export function exportedNames({ program }: SourceFile): readonly ExportedName[] {
  const exported = new Set<string>();
  const declared = new Map<string, ExportedName["kind"]>();
  for (const node of program.body) {
    if (node.type === "ExportNamedDeclaration") {
      if (node.declaration !== null) {
        for (const { name, kind } of namesOf(node.declaration)) {
          exported.add(name);
          declared.set(name, kind);
        }
      }
      // `export { a }`; with a source it only re-exports a name of another file.
      if (node.source === null) for (const { local } of node.specifiers) if ("name" in local) exported.add(local.name);
    } else if ("id" in node || node.type === "VariableDeclaration") {
      for (const { name, kind } of namesOf(node as Declaration)) declared.set(name, kind);
    }
  }
  return [...exported].map((name) => ({ name, kind: declared.get(name) ?? "value" }));
}

function namesOf(declaration: Declaration): readonly ExportedName[] {
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) => namesIn(id).map((name) => ({ name, kind: "value" as const })));
  }
  const id = "id" in declaration ? declaration.id : null;
  if (id === null || id === undefined || !("name" in id)) return [];
  const isType = /^(?:TS(?:TypeAlias|Interface)|Class)Declaration$/.test(declaration.type);
  return [{ name: id.name, kind: isType ? "type" : "value" }];
}

/** `const { a, b: c } = …` binds a and c. */
function namesIn(pattern: BindingPattern): readonly string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type === "ObjectPattern") {
    return pattern.properties.flatMap((each) =>
      each.type === "Property" ? namesIn(each.value) : namesIn(each.argument),
    );
  }
  return [];
}
