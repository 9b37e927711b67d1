import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plantedProject, repository } from "../support/team/planted-project.ts";

const manifest = (ids: readonly string[], open: Readonly<Record<string, string>> = {}): string => {
  const requirements = ids.map((id) => ({ id, source: ["000"], behaviour: "It works.", faces: ["cli"] }));
  return `export const requirements = ${JSON.stringify(requirements)};\nexport const open = ${JSON.stringify(open)};\n`;
};

/** Titles are put together here, so that this file cites nothing itself. */
const cite = (id: string): string => `[${id}]`;
const testOf = (id: string, call = "it"): string => `${call}("${cite(id)} works", () => {});\n`;

function gate(files: Readonly<Record<string, string>>): { code: number | null; output: string } {
  using project = plantedProject({ "package.json": '{"type":"module"}', ...files });
  const script = join(repository, "scripts/check-requirements.ts");
  const args = [script, "--root", project.root, "--list"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { code: status, output: stdout + stderr };
}

describe("the requirement gate", () => {
  it("passes when each requirement is cited or open, and says where we stand", () => {
    const { code, output } = gate({
      "test/requirements.ts": manifest(["send.one", "send.two", "vote.tie"], {
        "send.two": "later",
        "vote.tie": "later",
      }),
      "test/send.test.ts": testOf("send.one"),
    });
    expect(code).toBe(0);
    expect(output).toContain("requirements: 3, shown by tests: 1, open: 2");
    expect(output).toContain("open  send: two");
    expect(output).toContain("open  vote: tie");
  });

  it("fails for a requirement that is neither cited nor open", () => {
    const files = {
      "test/requirements.ts": manifest(["send.one", "send.two"]),
      "test/send.test.ts": testOf("send.one"),
    };
    const { code, output } = gate(files);
    expect(code).toBe(1);
    expect(output).toContain("neither cited as [area.feature] in a test's title nor open: send: two");
  });

  it("fails for a citation of nothing", () => {
    const files = { "test/requirements.ts": manifest([]), "test/send.test.ts": `\n${testOf("send.none")}` };
    expect(gate(files)).toMatchObject({
      code: 1,
      output: expect.stringContaining('test/send.test.ts:2: cites "send.none", which is no requirement'),
    });
  });

  it("fails for a requirement that is cited and still called open", () => {
    const files = {
      "test/requirements.ts": manifest(["send.one"], { "send.one": "later" }),
      "test/send.test.ts": testOf("send.one"),
    };
    expect(gate(files)).toMatchObject({ code: 1, output: expect.stringContaining("take it off that list") });
  });

  it("fails for a requirement that is listed twice, and for an open one that does not exist", () => {
    const { code, output } = gate({
      "test/requirements.ts": manifest(["send.one", "send.one"], { "send.gone": "later" }),
      "test/send.test.ts": testOf("send.one"),
    });
    expect(code).toBe(1);
    expect(output).toContain('"send.one" is listed twice');
    expect(output).toContain('"send.gone" is listed as open and is no requirement');
  });

  it.each([
    ["a comment", `// ${testOf("send.one")}`],
    ["a skipped test", testOf("send.one", "it.skip")],
    ["a test still to be written", `it.todo("${cite("send.one")} works");`],
    ["a skipped suite", `describe.skip("all", () => { ${testOf("send.one")} });`],
  ])("does not count what is cited in %s", (_place, text) => {
    const { code } = gate({ "test/requirements.ts": manifest(["send.one"]), "test/send.test.ts": text });
    expect(code).toBe(1);
  });

  it.each([
    ["a suite", `describe("${cite("send.one")}", () => {});`],
    ["a template", `it(\`${cite("send.one")} \${1}\`, () => {});`],
    ["a table", `it.each([1])("${cite("send.one")} %i", () => {});`],
    ["data that becomes a title", `for (const name of ["${cite("send.one")} works"]) it(name, () => {});`],
  ])("counts what is cited in %s", (_place, text) => {
    expect(gate({ "test/requirements.ts": manifest(["send.one"]), "test/send.test.ts": text })).toMatchObject({
      code: 0,
    });
  });

  it("takes strings that only look like a citation for what they are, outside titles", () => {
    const text = `it("works", () => { expect(path).toBe("agents[a.b]"); });\n${testOf("send.one")}`;
    expect(gate({ "test/requirements.ts": manifest(["send.one"]), "test/send.test.ts": text })).toMatchObject({
      code: 0,
    });
  });
});
