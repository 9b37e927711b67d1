import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkFileNames } from "../../scripts/check-file-names.ts";
import { checkTimeAndChance } from "../../scripts/check-time-and-chance.ts";
import { type PlantedProject, plantedProject, repository } from "../support/team/planted-project.ts";

/** A project with the repository's own rules and tools, and one source that no gate objects to. */
function cleanProject(): PlantedProject {
  const project = plantedProject({
    "src/domain/good.ts": "export function double(value: number): number {\n  return value * 2;\n}\n",
  });
  project.installTools();
  for (const file of [".oxlintrc.json", ".oxfmtrc.json", "knip.json", "tsconfig.json", "scripts", "package.json"]) {
    cpSync(join(repository, file), join(project.root, file), { recursive: true });
  }
  return project;
}

function run(project: PlantedProject, ...command: readonly string[]): { code: number | null; output: string } {
  const [program = "", ...args] = command;
  const tool = program === "node" ? process.execPath : join(project.root, "node_modules/.bin", program);
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd: project.root, encoding: "utf8" });
  return { code: status, output: stdout + stderr };
}

describe("lint", () => {
  const later = "declare function later(): Promise<void>;\n";
  const plants = {
    "typescript(no-floating-promises)": `${later}export function f(): void {\n  later();\n}\n`,
    "typescript(no-misused-promises)": `${later}export const f = [1].filter(async () => later());\n`,
    "typescript(await-thenable)": "export const f = async (): Promise<number> => await 1;\n",
    "typescript(switch-exhaustiveness-check)":
      'export function f(a: "x" | "y"): void {\n  switch (a) {\n    case "x":\n  }\n}\n',
    "typescript(no-explicit-any)": "export const f = (a: any): unknown => a;\n",
    "typescript(consistent-type-imports)": 'import { URL } from "node:url";\nexport type A = URL;\n',
    "typescript(no-non-null-assertion)": "export const f = (a: string | undefined): string => a!;\n",
    "typescript(ban-ts-comment)": "// @ts-ignore\nexport const f = 1;\n",
    "import(no-default-export)": "export default 1;\n",
    "eslint(no-console)": "export const f = (): void => console.log(1);\n",
    "unicorn(prefer-node-protocol)": 'import { join } from "path";\nexport const f = join;\n',
  };

  it("passes a clean project", () => {
    using project = cleanProject();
    expect(run(project, "oxlint", "src")).toMatchObject({ code: 0 });
  });

  it("fails for each planted mistake, by the rule it is for", () => {
    using project = cleanProject();
    for (const [index, text] of Object.values(plants).entries()) project.plant(`src/domain/planted-${index}.ts`, text);
    const { code, output } = run(project, "oxlint", "src", "--format", "json");
    expect(code).toBe(1);
    const { diagnostics }: { diagnostics: { code: string; filename: string }[] } = JSON.parse(output);
    const found = diagnostics.map((one) => `${one.filename} ${one.code}`);
    for (const [index, rule] of Object.keys(plants).entries()) {
      expect(found).toContain(`src/domain/planted-${index}.ts ${rule}`);
    }
  });
});

describe("format", () => {
  it("passes a clean project and fails for an unformatted file", () => {
    using project = cleanProject();
    expect(run(project, "oxfmt", "--check", "src")).toMatchObject({ code: 0 });
    project.plant("src/domain/planted.ts", "export const a = 'single'\n");
    const { code, output } = run(project, "oxfmt", "--check", "src");
    expect(code).toBe(1);
    expect(output).toContain("src/domain/planted.ts");
  });
});

describe("file names", () => {
  it.each([
    ["src/domain/sendMessage.ts", "is not kebab-case"],
    ["src/domain/Send.ts", "is not kebab-case"],
    ["src/BadFolder/send.ts", "is not kebab-case"],
    ["src/domain/types.ts", "names no concept"],
    ["src/domain/index.ts", "names no concept"],
    ["src/domain/string-utils.ts", "names no concept"],
    ["src/lib/send.ts", "names no concept"],
    ["src/domain/send.mts", "sources end in .ts"],
    ["src/domain/send.js", "sources end in .ts"],
    ["src/domain/send.old.ts", "more than one ending"],
    ["src/domain/send.test.ts", "tests lie in test/"],
    ["test/domain/send.ts", "tests end in .test.ts"],
    ["test/domain/send.spec.ts", "tests end in .test.ts"],
  ])("refuses %s", (path, problem) => {
    using project = plantedProject({ [path]: "" });
    expect(checkFileNames(project.root)).toContainEqual(expect.stringMatching(`^${path}: .*${problem}`));
  });

  it("refuses a folder of more than 25 files", () => {
    const files = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`src/domain/idea-${index}.ts`, ""]));
    using project = plantedProject(files);
    expect(checkFileNames(project.root)).toEqual([]);
    project.plant("src/domain/one-more.ts", "");
    expect(checkFileNames(project.root)).toEqual([expect.stringContaining("src/domain: 26 files")]);
  });

  it("refuses a source of more than 350 lines", () => {
    using project = plantedProject({ "src/domain/long.ts": "//\n".repeat(350) });
    expect(checkFileNames(project.root)).toEqual([]);
    project.plant("src/domain/long.ts", "//\n".repeat(351));
    expect(checkFileNames(project.root)).toEqual([expect.stringContaining("src/domain/long.ts: 351 lines")]);
  });

  it("lets fixtures be called anything", () => {
    using project = plantedProject({ "test/fixtures/Odd Name.TS": "", "test/support/scripted.ts": "" });
    expect(checkFileNames(project.root)).toEqual([]);
  });
});

describe("time and chance", () => {
  it.each([
    "Date.now()",
    "new Date()",
    "Date()",
    "Math.random()",
    "[1].map(Math.random)",
    "setTimeout(() => {}, 1)",
    "globalThis.setInterval(() => {}, 1)",
    "performance.now()",
    "process.hrtime.bigint()",
    "AbortSignal.timeout(1)",
    'import { setTimeout as sleep } from "node:timers/promises"',
    'import * as timers from "node:timers"',
  ])("refuses %s", (text) => {
    using project = plantedProject({ "src/domain/planted.ts": `\n${text};\n` });
    expect(checkTimeAndChance(project.root)).toEqual([expect.stringContaining("src/domain/planted.ts:2: ")]);
  });

  it("allows them in the clock and the random source, and elsewhere given dates and yielding", () => {
    using project = plantedProject({
      "src/kernel/clock.ts": "Date.now(); setTimeout(() => {}, 1);",
      "src/kernel/random.ts": "Math.random();",
      "src/files/turn.ts": 'import { setImmediate } from "node:timers/promises"; await setImmediate();',
      "src/domain/day.ts": "export const day = (at: number) => new Date(at).toISOString(); // never Date.now()",
    });
    expect(checkTimeAndChance(project.root)).toEqual([]);
  });
});

describe("dead code", () => {
  it("finds a file and an export that nothing uses, and in production also what only tests use", () => {
    using project = cleanProject();
    project.plant(
      "src/domain/planted.ts",
      "export const used = 1;\nexport const tested = 2;\nexport const unused = 3;\n",
    );
    project.plant("src/cli/main.ts", 'import { used } from "../domain/planted.ts";\nprocess.exitCode = used;\n');
    project.plant("test/planted.test.ts", 'import { tested } from "../src/domain/planted.ts";\ntested;\n');
    const all = run(project, "knip", "--no-progress", "--include", "files,exports");
    expect(all.code).toBe(1);
    expect(all.output).toContain("src/domain/good.ts");
    expect(all.output).toMatch(/^unused /m);
    expect(all.output).not.toMatch(/^(tested|used) /m);
    const production = run(project, "knip", "--no-progress", "--include", "files,exports", "--production");
    expect(production.code).toBe(1);
    expect(production.output).toMatch(/^tested /m);
    expect(production.output).not.toMatch(/^used /m);
  });
});

describe("npm run check", () => {
  it("runs every step although one fails, shows its output and exits 1", () => {
    using project = cleanProject();
    const check = ["node", "scripts/check.ts", "--only", "format,layers,file-names,time-and-chance"];
    const clean = run(project, ...check);
    expect(clean).toMatchObject({ code: 0, output: expect.stringContaining("4 checks passed") });
    project.plant("src/domain/planted.ts", 'import "node:fs";\n');
    const { code, output } = run(project, ...check);
    expect(code).toBe(1);
    expect(output).toMatch(/FAIL {2}layers/);
    expect(output).toContain('src/domain/planted.ts:1: layer "domain" must not import builtin "node:fs"');
    for (const name of ["format", "file-names", "time-and-chance"])
      expect(output).toMatch(new RegExp(`ok {4}${name} `));
    expect(output).toContain("failed: layers");
  });

  it("refuses a step that does not exist", () => {
    using project = cleanProject();
    expect(run(project, "node", "scripts/check.ts", "--skip", "test")).toMatchObject({
      code: 2,
      output: expect.stringContaining('no check is called "test"'),
    });
  });
});
