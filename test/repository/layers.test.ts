import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLayers } from "../../scripts/check-layers.ts";
import { type LayerName, isLayer, layers } from "../../scripts/layers.ts";
import { plantedProject, repository } from "../support/team/planted-project.ts";

const names = Object.keys(layers).filter(isLayer);

/** Every way to reach another module, here the storage layer from the domain. */
const imports = {
  "a value": `import { leaf } from "../storage/leaf.ts";\nleaf;`,
  "a namespace": `import * as all from "../storage/leaf.ts";\nall;`,
  "a side effect": `import "../storage/leaf.ts";`,
  "a type": `import type { Leaf } from "../storage/leaf.ts";\nexport type A = Leaf;`,
  "an inline type": `import { type Leaf } from "../storage/leaf.ts";\nexport type A = Leaf;`,
  "a type query": `export type A = import("../storage/leaf.ts").Leaf;`,
  "a dynamic import": `export const a = import("../storage/leaf.ts");`,
  "a dynamic import of a template": "export const a = import(`../storage/leaf.ts`);",
  "a dynamic import behind a comment": `export const a = import(/* lazily */ "../storage/leaf.ts");`,
  "a re-export": `export { leaf } from "../storage/leaf.ts";`,
  "a re-exported type": `export type { Leaf } from "../storage/leaf.ts";`,
  "a re-export of everything": `export * from "../storage/leaf.ts";`,
  "a named re-export of everything": `export * as all from "../storage/leaf.ts";`,
  "an import over several lines": `import {\n  leaf,\n} from\n  "../storage/leaf.ts";\nleaf;`,
  "an import assignment": `import all = require("../storage/leaf.ts");\nall;`,
  "a require": `export const a = require("../storage/leaf.ts");`,
};

describe("the check of layers", () => {
  it("[code.layers] has no objection to the project itself", () => {
    expect(checkLayers(repository)).toEqual([]);
  });

  it("[code.layers] finds a forbidden import planted in a copy of the project", () => {
    using project = plantedProject();
    cpSync(join(repository, "src"), join(project.root, "src"), { recursive: true });
    project.plant("src/storage/planted-leaf.ts", "export const leaf = 1;\n");
    const before = checkLayers(project.root);
    project.plant("src/domain/planted.ts", `\nexport { leaf } from "../storage/planted-leaf.ts";\n`);
    expect(checkLayers(project.root).filter((problem) => !before.includes(problem))).toEqual([
      'src/domain/planted.ts:2: layer "domain" must not import "storage/planted-leaf.ts" (allowed: kernel)',
    ]);
  });

  it("[code.layers] refuses exactly the pairs of layers that the table leaves out", () => {
    using project = plantedProject();
    const wanted: string[] = [];
    for (const from of names) {
      project.plant(`src/${from}/leaf.ts`, "export const leaf = 1;");
      for (const to of names) {
        project.plant(`src/${from}/to-${to}.ts`, `export { leaf } from "../${to}/leaf.ts";`);
        if (!mayImport(from, to)) wanted.push(`src/${from}/to-${to}.ts`);
      }
    }
    const refused = checkLayers(project.root).map((problem) => problem.split(":")[0]);
    expect(refused).toEqual(wanted.toSorted());
    expect(refused).toContain("src/kernel/to-domain.ts");
    expect(refused).toContain("src/daemon/to-testing.ts");
  });

  it.each(Object.entries(imports))("[code.layers] sees %s", (_kind, text) => {
    using project = plantedProject({ "src/storage/leaf.ts": "export const leaf = 1;", "src/domain/planted.ts": text });
    expect(checkLayers(project.root)).toEqual([expect.stringContaining('must not import "storage/leaf.ts"')]);
  });

  it("does not see imports in comments, strings and regular expressions", () => {
    using project = plantedProject({
      "src/domain/quoted.ts": [
        `// import "../storage/leaf.ts";`,
        `/* export * from "../storage/leaf.ts"; */`,
        `export const a = 'import "../storage/leaf.ts"';`,
        `export const b = \`import "../storage/leaf.ts"; \${"export * from '../storage/leaf.ts'"}\`;`,
        `export const c = /import "..\\/storage\\/leaf.ts"/;`,
      ].join("\n"),
    });
    expect(checkLayers(project.root)).toEqual([]);
  });

  it.each([
    ["src/domain/a.ts", `import "zod";`, 'layer "domain" must not import package "zod" (allowed: croner)'],
    ["src/domain/a.ts", `import "node:fs";`, 'layer "domain" must not import builtin "node:fs" (allowed: none)'],
    ["src/domain/a.ts", `import "fs";`, 'layer "domain" must not import builtin "node:fs" (allowed: none)'],
    ["src/domain/a.ts", `process.getBuiltinModule("node:fs");`, 'layer "domain" must not import builtin "node:fs"'],
    ["src/domain/message/a.ts", `import "croner";`, '"croner" may be imported by src/domain/schedule'],
    ["src/ports/a.ts", `import "@scope/name/part";`, 'layer "ports" must not import package "@scope/name"'],
    [
      "src/storage/tables/run.ts",
      `import "node:sqlite";`,
      '"node:sqlite" may be imported by src/storage/sqlite/connection.ts',
    ],
    ["src/daemon/a.ts", `import "node:sqlite";`, '"node:sqlite" may be imported by src/storage/sqlite/connection.ts'],
    [
      "src/daemon/a.ts",
      `import "../../test/property.ts";`,
      'must not import "test/property.ts", which is outside src/',
    ],
    ["src/daemon/a.ts", `import(process.argv[2]);`, "imports a computed path"],
    ["src/daemon/a.ts", "import(`../engines/${name}.ts`);", "imports a computed path"],
    ["src/daemon/a.ts", "import(`./${name}/../../http/a.ts`);", "imports a computed path"],
    ["src/a.ts", "export {};", "belongs to no layer"],
    ["src/novel/a.ts", "export {};", "belongs to no layer"],
  ])("refuses in %s: %s", (path, text, problem) => {
    using project = plantedProject({ [path]: text });
    expect(checkLayers(project.root)).toEqual([expect.stringContaining(`${path}:1: ${problem}`)]);
  });

  it.each([
    ["src/domain/schedule/next.ts", `import "croner";`],
    ["src/storage/sqlite/connection.ts", `import "node:sqlite";`],
    ["src/kernel/a.ts", `import "zod/v4";`],
    ["src/cli/a.ts", `import "../../package.json" with { type: "json" };`],
    ["src/daemon/a.ts", `import "anything"; import "node:net";`],
  ])("allows in %s: %s", (path, text) => {
    using project = plantedProject({ [path]: text });
    expect(checkLayers(project.root)).toEqual([]);
  });

  it("finds a cycle of files, also one of types only", () => {
    using project = plantedProject({
      "src/domain/a.ts": `import type { B } from "./b.ts"; export type A = B;`,
      "src/domain/b.ts": `import type { C } from "./deeper/c.ts"; export type B = C;`,
      "src/domain/deeper/c.ts": `import type { A } from "../a.ts"; export type C = A;`,
      "src/domain/d.ts": `import type { A } from "./a.ts"; export type D = A;`,
    });
    expect(checkLayers(project.root)).toEqual([
      "src/domain/a.ts:1: import cycle: src/domain/a.ts -> src/domain/b.ts -> src/domain/deeper/c.ts -> src/domain/a.ts",
    ]);
  });
});

describe("the table of the architecture page", () => {
  const rows = names.map((name) => {
    const { imports: allowed } = layers[name];
    const cell = allowed === "everything" ? allowed : allowed.join(", ") || "-";
    return `| \`${name}/\` | what it holds | ${cell} |`;
  });
  const head = ["# Architecture", "| layer | holds | may import |", "|---|---|---|"];

  it("agrees when each layer has its row", () => {
    using project = plantedProject({ "docs/architecture.md": [...head, ...rows].join("\n") });
    expect(checkLayers(project.root)).toEqual([]);
  });

  it("may be written in another order and with shared rows", () => {
    const shared = "| `http/`, `mcp/` | two faces | runtime, operations, contract, domain, kernel |";
    const others = rows.filter((row) => !/`(http|mcp)\//.test(row)).toReversed();
    using project = plantedProject({ "docs/architecture.md": [...head, shared, ...others].join("\n") });
    expect(checkLayers(project.root)).toEqual([]);
  });

  it("is refused when a row is missing, differs or names no layer", () => {
    const wrong = ["| `domain/` | values | kernel, ports |", "| `helpers/` | odds | kernel |"];
    const others = rows.filter((row) => !/`(domain|cli)\//.test(row));
    using project = plantedProject({ "docs/architecture.md": [...head, ...wrong, ...others].join("\n") });
    expect(checkLayers(project.root)).toEqual([
      'docs/architecture.md:4: "domain/" may import "kernel", the page says "kernel, ports"',
      'docs/architecture.md:5: "helpers/" is not a layer of scripts/layers.ts',
      'docs/architecture.md: no row for the layer "cli/"',
    ]);
  });
});

function mayImport(from: LayerName, to: LayerName): boolean {
  if (from === to) return true;
  const { imports: allowed } = layers[from];
  return to !== "testing" && (allowed === "everything" || allowed.includes(to));
}
