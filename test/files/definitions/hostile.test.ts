import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadAgent, loadWorkflow } from "../../../src/files/definitions/load-definition.ts";
import { loadProject } from "../../../src/files/project/load-project.ts";
import { parseYaml } from "../../../src/files/yaml/parse-yaml.ts";
import { formatProblem } from "../../../src/files/yaml/problem.ts";
import { loadText, temporaryProject } from "../../fixtures/definitions/load-text.ts";
import { runs } from "../../property.ts";

const AGENT = "model: auto\nprompt: { system: Hello. }\n";
const MEBIBYTE = 1024 * 1024;
/** Where exactly a limit on the size of the whole is hit is not promised. */
const SOMEWHERE = -1;

function aliasBomb(): string {
  const levels = Array.from({ length: 8 }, (_, level) => {
    const items = level === 0 ? Array(9).fill("lol") : Array(9).fill(`*l${level - 1}`);
    return `  l${level}: &l${level} [${items.join(", ")}]`;
  });
  return `${AGENT}soul:\n${levels.join("\n")}\n`;
}

function mergeBomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) =>
    level === 0 ? "  m0: &m0 { a: 1 }" : `  m${level}: &m${level}\n    <<: [*m${level - 1}, *m${level - 1}]`,
  );
  return `${AGENT}soul:\n${levels.join("\n")}\n`;
}

const HOSTILE: readonly (readonly [what: string, content: string | Uint8Array, line: number, says: string])[] = [
  ["an alias bomb", aliasBomb(), 8, "expands to too much"],
  ["a merge-key blow-up", mergeBomb(), 6, "Merge keys"],
  [
    "thousands of anchors",
    AGENT + Array.from({ length: 5000 }, (_, i) => `k${i}: &a${i} 1\n`).join(""),
    103,
    "anchors",
  ],
  ["ten thousand open brackets", `${AGENT}soul: ${"[".repeat(10_000)}`, 3, "nested"],
  ["ten thousand open braces", `${AGENT}soul: ${"{a: ".repeat(10_000)}`, 3, "nested"],
  ["ten thousand dashes", `${AGENT}soul:\n  ${"- ".repeat(10_000)}x`, 4, "nested"],
  ["ten thousand question marks", "? ".repeat(10_000), 1, "nested"],
  ["a staircase", Array.from({ length: 1000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"), 100, "nested"],
  ["endless keys", Array.from({ length: 80_000 }, (_, i) => `key${i}: 1\n`).join(""), SOMEWHERE, "too many entries"],
  ["endless comments", "#\n".repeat(500_000), SOMEWHERE, "too many entries"],
  ["endless documents", "---\n".repeat(200_000), SOMEWHERE, "too many entries"],
  ["a scalar of 10 MiB", `${AGENT}soul: { role: ${"x".repeat(10 * MEBIBYTE)} }`, 1, "larger than 1024 KiB"],
  ["a file of 50 MiB", new Uint8Array(50 * MEBIBYTE).fill(0x61), 1, "larger than 1024 KiB"],
  ["a NUL byte", `${AGENT}tools: [a\0b]\n`, 3, "U+0000"],
  [
    "bytes that are not UTF-8",
    Buffer.concat([Buffer.from(`${AGENT}tools: [`), Buffer.from([0xc3, 0x28])]),
    3,
    "not valid UTF-8",
  ],
  ["UTF-16", Buffer.from(`\uFEFF${AGENT}`, "utf16le"), 1, "UTF-16"],
  ["a prototype key", `${AGENT}soul: { "__proto__": { polluted: true } }\n`, 3, "not allowed"],
  ["a megabyte of quotes", '"'.repeat(MEBIBYTE), 1, ""],
  ["a megabyte of one word per line", "a\n".repeat(MEBIBYTE / 2), 1, "must be a mapping"],
  ["a key of a megabyte", `${"k".repeat(MEBIBYTE - 10)}: 1\n`, 1, ""],
  ["text that reorders itself", `${AGENT}"\u202Eledom": x\n`, 3, "Unknown key"],
];

describe("[project.hostile-yaml] hostile files", () => {
  it.each(HOSTILE)("%s is refused with its place, shortly", async (_, content, line, says) => {
    const { agents, problems } = await loadText("agent", content);
    expect(agents.size).toBe(0);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toMatchObject({ severity: "error", file: ".agents/subject.yaml" });
    if (line === SOMEWHERE) expect(problems[0]?.line).toBeGreaterThan(1000);
    else expect(problems[0]?.line).toBe(line);
    expect(problems[0]?.message).toContain(says);
    for (const problem of problems) {
      const shown = formatProblem(problem);
      expect(shown.length).toBeLessThan(1500);
      expect(shown).not.toMatch(/\n\s+at |\p{Cf}/u);
    }
    expect({}).not.toHaveProperty("polluted");
  });

  it("refuses all of them in a small, separate process", () => {
    const script = `
      import { parseYaml } from ${JSON.stringify(new URL("../../../src/files/yaml/parse-yaml.ts", import.meta.url).href)};
      for (const text of JSON.parse(await new Response(process.stdin).text())) {
        if (parseYaml("x", text).ok) throw new Error("accepted " + text.slice(0, 50));
      }`;
    const texts = [aliasBomb(), mergeBomb(), "[".repeat(10_000), "- ".repeat(10_000), `${AGENT}a: 1\n`.repeat(40_000)];
    const args = ["--max-old-space-size=40", "--input-type=module", "-e", script];
    const run = (): unknown => execFileSync(process.execPath, args, { input: JSON.stringify(texts), timeout: 20_000 });
    expect(run).not.toThrow();
  });

  it("takes a byte order mark at the start, and only there", async () => {
    const { agents } = await loadText("agent", `\uFEFF${AGENT}`);
    expect(agents.get("subject")?.definition.model).toBe("auto");
    expect((await loadText("agent", `model: auto\n\uFEFFprompt: { system: Hi }\n`)).problems).not.toHaveLength(0);
  });

  it("takes Windows line ends, with the right places", async () => {
    expect((await loadText("agent", AGENT.replaceAll("\n", "\r\n"))).agents.size).toBe(1);
    const { problems } = await loadText("agent", `${AGENT}nope: 1\n`.replaceAll("\n", "\r\n"));
    expect(problems[0]).toMatchObject({ line: 3, column: 1, text: "nope: 1" });
  });

  it("expands a reasonable alias", async () => {
    const text = `${AGENT}tools: &t [bash, read_file]\npermissions: { allow: *t }\n`;
    expect((await loadText("agent", text)).agents.get("subject")?.definition.permissions).toEqual({
      allow: ["bash", "read_file"],
    });
  });

  it("neither follows links nor waits for pipes, and loads the files beside them", async () => {
    using project = temporaryProject({ ".agents/good.yaml": AGENT, "outside.yaml": AGENT });
    const at = (name: string): string => join(project.dir, ".agents", name);
    symlinkSync(join(project.dir, "outside.yaml"), at("link.yaml"));
    symlinkSync("loop.yaml", at("loop.yaml"));
    symlinkSync("/nonexistent", at("dangling.yaml"));
    execFileSync("mkfifo", [at("pipe.yaml")]);
    linkSync(join(project.dir, "outside.yaml"), at("hard.yaml"));
    mkdirSync(at("folder.yaml"));
    writeFileSync(at("unreadable.yaml"), AGENT, { mode: 0o000 });
    const { agents, problems } = await loadProject(project.dir);
    expect(agents.has("good")).toBe(true);
    const refused = problems.map(({ file }) => file.replace(".agents/", ""));
    expect(refused).toEqual(
      expect.arrayContaining(["dangling.yaml", "hard.yaml", "link.yaml", "loop.yaml", "pipe.yaml"]),
    );
    expect(problems.every(({ line, column }) => line === 1 && column === 1)).toBe(true);
  });

  it("never throws, whatever is changed in a file: it gives a problem or a definition", () => {
    using project = temporaryProject();
    const options = { projectDir: project.dir, mode: "strict", defaults: {}, provider: "sqlite" } as const;
    const samples = [
      `name: a\n${AGENT}soul: { role: x, list: [a, b] }\nschedule:\n  wakeup: 5m\n  prompt: |\n    Hi\ntools:\n  - x\n`,
      "agents:\n  a: { ref: b }\n  c:\n    model: auto\n    system_prompt: Hi\nsetup:\n  - shell: ls\n    as: out\nkickoff: |\n  Go ${{ out }}\nparams: { n: { default: 3 } }\n",
    ];
    const piece = fc.constantFrom(
      "\t",
      "\n",
      " ",
      "  ",
      ": ",
      "- ",
      "[",
      "]",
      "{",
      "}",
      "&a ",
      "*a",
      "!",
      "|",
      ">",
      '"',
      "'",
      "#",
      "null",
      "~",
      "0",
      "-1",
      "1e999",
      ".nan",
      "${{",
      "}}",
      "@",
      "%",
      "\0",
      "\uFEFF",
      "é",
      "ref: x\n",
      "<<: *a",
      "? ",
      "---\n",
      "...",
    );
    const edit = fc.record({ at: fc.nat(400), remove: fc.nat(6), insert: piece });
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(edit, { minLength: 1, maxLength: 6 }), (sample, edits) => {
        const text = edits.reduce((now, { at, remove, insert }) => {
          const start = at % (now.length + 1);
          return now.slice(0, start) + insert + now.slice(start + remove);
        }, sample);
        const parsed = parseYaml("f.yaml", text);
        const outcomes = parsed.ok
          ? [loadAgent(parsed.source, options), loadWorkflow(parsed.source, options)]
          : [parsed];
        const lines = text.split("\n").length;
        for (const outcome of outcomes) {
          expect("loaded" in outcome || outcome.problems.length > 0).toBe(true);
          for (const problem of outcome.problems) {
            expect(problem.line).toBeLessThanOrEqual(lines);
            expect(problem.line).toBeGreaterThan(0);
            expect(problem.column).toBeGreaterThan(0);
            expect(problem.message).not.toMatch(/undefined|\[object|NaN/u);
          }
        }
      }),
      runs(400),
    );
  });
});
