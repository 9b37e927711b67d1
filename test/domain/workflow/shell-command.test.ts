import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildScope } from "../../../src/domain/workflow/scope.ts";
import { shellCommand } from "../../../src/domain/workflow/shell-command.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "shell-command-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const scopeOf = (outputs: Record<string, string>) =>
  buildScope({
    workflow: "review",
    tag: "main",
    projectDir: "/p",
    params: { base: "main" },
    env: { HOME: "/me" },
    outputs,
  });

/** Runs a template in a real shell, in an empty folder. */
function run(template: string, outputs: Record<string, string>): string {
  const { command, env } = value(shellCommand(template, scopeOf(outputs)));
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? "", ...env }, encoding: "utf8" } as const;
  return execFileSync("/bin/sh", ["-c", command], options);
}

const HOSTILE = [
  "$(touch owned)",
  "`touch owned`",
  "; touch owned;",
  "' ; touch owned ; '",
  '" ; touch owned ; "',
  "\n touch owned \n",
  "${{ other }}",
  "${PATH} $PATH",
  "\\",
  "'\"'\"'",
  "* ? [a-z] ~ {a,b}",
  "&& touch owned || touch owned #",
  "-n -e --help",
  "  two  spaces  ",
  "<<EOF\nEOF",
  "$((1+1))",
  "😀 é \u0001",
  "%s %d",
];

/** Each prints the value of `x` between marks, from another place of quoting. */
const PLACES: readonly (readonly [string, string])[] = [
  ["bare", "printf '[%s]' ${{ x }}"],
  ["joined to a word", "printf '[%s]' ${{ x }}${{ none }}"],
  ["double quotes", 'printf "[%s]" "${{ x }}"'],
  ["single quotes", "printf '[%s]' '${{ x }}'"],
  ["a substitution", "printf '[%s]' \"$(printf '%s.' ${{ x }})\" | sed '$s/\\.]$/]/'"],
  ["quotes in a substitution in quotes", 'printf "[%s]" "$(printf "%s." "${{ x }}")" | sed \'$s/\\.]$/]/\''],
  ["a subshell", "(printf '[%s]' ${{ x }})"],
  ["after a comment with an apostrophe", "# don't\nprintf '[%s]' ${{ x }}"],
  ["after escaped quotes", "printf '[%s]' \\'\\\"${{ x }} | sed \"1s/^\\['\\\"/[/\""],
  ["an assignment", "x=${{ x }}; printf '[%s]' \"$x\""],
];

describe("shellCommand", () => {
  it.each(PLACES)("hands over hostile values as one word, in %s", (_, template) => {
    for (const x of HOSTILE) expect(run(template, { x, none: "" })).toBe(`[${x}]`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("never puts a value into the text of the command", () => {
    const fixed = value(shellCommand("echo ${{ x }} '${{ x }}'", scopeOf({ x: "harmless" }))).command;
    fc.assert(
      fc.property(fc.string(), (text) => {
        const x = text.replaceAll("\0", "");
        const result = shellCommand("echo ${{ x }} '${{ x }}'", scopeOf({ x }));
        expect(value(result)).toMatchObject({ command: fixed, env: { AW_X: x } });
      }),
      runs(300),
    );
  });

  it("survives any value in a real shell", () => {
    const nasty = fc.string({ unit: fc.constantFrom(..."$`\"'\\(){}<>|&;#*?[]~!%\n\t =ab".split("")), maxLength: 30 });
    fc.assert(
      fc.property(nasty, fc.constantFrom(...PLACES.slice(0, 4).map(([, template]) => template)), (x, template) => {
        expect(run(template, { x, none: "" })).toBe(`[${x}]`);
      }),
      runs(40, 500),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it("offers parameters, outputs and the workspace's facts as variables", () => {
    const { env } = value(shellCommand("true", scopeOf({ changes: "diff" })));
    expect(env).toEqual({
      AW_WORKFLOW_NAME: "review",
      AW_WORKFLOW_TAG: "main",
      AW_WORKFLOW_INSTANCE: "main",
      AW_INSTANCE: "main",
      AW_PROJECT_DIR: "/p",
      AW_PARAM_BASE: "main",
      AW_CHANGES: "diff",
    });
    expect(run('printf %s "$AW_CHANGES"', { changes: "diff" })).toBe("diff");
  });

  it("passes on a variable of the environment only when it is named", () => {
    expect(value(shellCommand("echo ${{ env.HOME }}", scopeOf({}))).env).toMatchObject({ AW_ENV_HOME: "/me" });
  });

  it.each([
    ["backquotes", "echo `cat ${{ x }}`"],
    ["quotes in backquotes", 'echo `cat "${{ x }}"`'],
    ["a here-document", "cat <<EOF\n${{ x }}\nEOF"],
    ["arithmetic", "echo $(( ${{ x }} + 1 ))"],
    ["an expansion", "echo ${y:-${{ x }}}"],
    ["after a backslash", "echo \\${{ x }}"],
    ["after a quote that shells read differently", "echo $'a\\'' ${{ x }}"],
  ])("refuses a placeholder in %s and names the variable", (_, template) => {
    const refusal = refused(shellCommand(template, scopeOf({ x: "1" })));
    expect(refusal.message).toContain("cannot be quoted safely");
    expect(refusal.hint).toContain('"$AW_X"');
  });

  it("refuses unknown names [interpolation.unknown]", () => {
    expect(refused(shellCommand("echo ${{ y }}", scopeOf({ x: "1" }))).message).toContain("${{ y }} is not defined");
  });

  it("refuses two names for one variable", () => {
    expect(refused(shellCommand("true", scopeOf({ a_b: "1", "a-b": "2" })))).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("AW_A_B"),
    });
    expect(refused(shellCommand("true", scopeOf({ param_base: "1" }))).message).toContain("AW_PARAM_BASE");
  });

  it("leaves out what is too large unless it is named, and then says so", () => {
    const large = "x".repeat(2_000_000);
    expect(value(shellCommand("true", scopeOf({ large }))).env).not.toHaveProperty("AW_LARGE");
    expect(refused(shellCommand("echo ${{ large }}", scopeOf({ large })))).toMatchObject({ code: "too_large" });
    expect(refused(shellCommand("echo ${{ nul }}", scopeOf({ nul: "a\0b" }))).message).toContain("zero byte");
    const most = "é".repeat(60 * 1024);
    expect(run("printf %s ${{ most }} | wc -c", { most }).trim()).toBe(String(120 * 1024));
  });

  it("spells variables in one way", () => {
    const { env } = value(
      shellCommand(
        "true",
        new Map([
          ["params.base-ref", "main"],
          ["changes", "+"],
        ]),
      ),
    );
    expect(env).toEqual({ AW_PARAM_BASE_REF: "main", AW_CHANGES: "+" });
  });
});
