import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Visitor } from "oxc-parser";
import type { RefusalCode } from "../src/kernel/refusal.ts";
import { moduleImports } from "./module-imports.ts";
import { readSource } from "./source-file.ts";

/**
 * Finds the codes with which an operation may refuse: those in its own file, in what it imports from `operations/` and
 * `domain/`, and in the folders behind the services it uses. It may find a code that the operation never uses; it misses
 * none, which the tests check with every refusal they see.
 */
const SERVICES = new Map<string, readonly string[]>(
  Object.entries({
    documents: ["src/files/documents", "src/storage/tables/document.ts", "src/files/confined-path.ts"],
    personal: ["src/files/personal", "src/runtime/personal-contexts.ts", "src/files/confined-path.ts"],
    archiveConversation: ["src/runtime/conversation-files.ts", "src/files/personal/conversations.ts"],
    definitions: ["src/files/project", "src/files/editing", "src/files/project-path.ts"],
    machine: ["src/daemon/machine", "src/files/project/create-project-files.ts"],
    trust: ["src/daemon/trust"],
    storeUpkeep: ["src/daemon/store/store-upkeep.ts"],
  }),
);

export function operationRefusals(root: string, file: string): readonly RefusalCode[] {
  const seen = new Set<string>();
  const codes = new Set<RefusalCode>();
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const found = lookInto(root, path);
    for (const code of found.codes) codes.add(code);
    waiting.push(...found.leadsTo);
  }
  return [...codes].toSorted();
}

interface Found {
  readonly codes: readonly RefusalCode[];
  readonly leadsTo: readonly string[];
}

const lookedInto = new Map<string, Found>();

function lookInto(root: string, path: string): Found {
  const known = lookedInto.get(path);
  if (known !== undefined) return known;
  const codes: RefusalCode[] = [];
  const leadsTo: string[] = [];
  const source = readSource(root, path);
  const use = (service: string): void => {
    leadsTo.push(...(SERVICES.get(service) ?? []).flatMap((place) => filesOf(root, place)));
  };
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type !== "Identifier" || callee.name !== "refuse") return;
      if (first?.type === "Literal" && typeof first.value === "string") codes.push(first.value as RefusalCode);
    },
    MemberExpression: ({ property }) => {
      if (property.type === "Identifier") use(property.name);
    },
    ObjectPattern: ({ properties }) => {
      for (const each of properties) if (each.type === "Property" && each.key.type === "Identifier") use(each.key.name);
    },
  }).visit(source.program);
  for (const { specifier, typesOnly } of moduleImports(source)) {
    const imported = specifier?.startsWith(".") === true ? join(dirname(path), specifier) : "";
    if (!typesOnly && /^src\/(?:operations|domain|guard)\//.test(imported)) leadsTo.push(imported);
  }
  const found = { codes, leadsTo };
  lookedInto.set(path, found);
  return found;
}

function filesOf(root: string, place: string): readonly string[] {
  if (place.endsWith(".ts")) return [place];
  return readdirSync(join(root, place)).flatMap((name) => (name.endsWith(".ts") ? [`${place}/${name}`] : []));
}
