import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParamSpec } from "../../../src/domain/workflow/definition.ts";
import { bindParams, parseParamArgs, type ParamValue } from "../../../src/domain/workflow/params.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

const base: ParamSpec = { name: "base", type: "string", required: true, description: "branch to compare with" };
const depth: ParamSpec = { name: "depth", type: "number", required: false, default: 3 };
const dry: ParamSpec = { name: "dry", type: "boolean", required: false };
const mode: ParamSpec = { name: "mode", type: "string", required: false, choices: ["fast", "slow"] };

describe("bindParams", () => {
  it("binds every declared parameter, as text [param.default]", () => {
    expect(value(bindParams([base, depth, dry, mode], { base: "main", dry: true }))).toEqual({
      base: "main",
      depth: "3",
      dry: "true",
      mode: "",
    });
  });

  it.each<[ParamSpec, ParamValue, string]>([
    [base, "", ""],
    [base, " spaces kept ", " spaces kept "],
    [base, 5, "5"],
    [depth, "7", "7"],
    [depth, " -0.50 ", "-0.5"],
    [depth, "1e3", "1000"],
    [depth, 0, "0"],
    [dry, "yes", "true"],
    [dry, "OFF", "false"],
    [dry, 1, "true"],
    [dry, false, "false"],
    [mode, "slow", "slow"],
    [{ ...depth, choices: ["1", "2.0"] }, "2", "2"],
  ])("reads %j from %j [param.types]", (spec, given, expected) => {
    expect(value(bindParams([spec], { [spec.name]: given }))).toEqual({ [spec.name]: expected });
  });

  it.each<[ParamSpec, ParamValue]>([
    [depth, "many"],
    [depth, ""],
    [depth, "0x10"],
    [depth, "1,5"],
    [depth, Number.NaN],
    [depth, Number.POSITIVE_INFINITY],
    [depth, true],
    [dry, "maybe"],
    [dry, 2],
    [base, true],
  ])("refuses for %j the value %j and names the parameter [param.types]", (spec, given) => {
    const refusal = refused(bindParams([spec], { [spec.name]: given }));
    expect(refusal.code).toBe("invalid");
    expect(refusal.message).toContain(`"${spec.name}"`);
    expect(refusal.message).toContain(spec.type);
  });

  it("names a missing parameter, what it is for and how to give it [param.required]", () => {
    const refusal = refused(bindParams([base, depth], {}));
    expect(refusal.message).toBe('The parameter "base" (branch to compare with) is required.');
    expect(refusal.hint).toBe("Give parameters as: -- --base <string> [--depth <number>]");
  });

  it("refuses a value outside the choices and lists them [param.choices]", () => {
    const refusal = refused(bindParams([mode], { mode: "fats" }));
    expect(refusal.message).toBe(
      'The parameter "mode" cannot be "fats". Did you mean "fast"? Known values: fast, slow.',
    );
    expect(refused(bindParams([{ ...mode, default: "none" }], {})).message).toContain('"none"');
  });

  it("refuses a name nobody declared and suggests [param.unknown]", () => {
    const refusal = refused(bindParams([base], { base: "main", bsae: "x" }));
    expect(refusal.message).toBe('There is no parameter "bsae". Did you mean "base"? Known parameters: base.');
    expect(refused(bindParams([], { x: "1" })).hint).toBe("Leave the parameters out.");
  });

  it("tells all problems at once", () => {
    const refusal = refused(bindParams([base, depth], { depth: "x", other: "y" }));
    expect(refusal.details).toMatchObject({ problems: { length: 3 } });
  });

  it("takes nothing from a prototype", () => {
    const proto: ParamSpec = { name: "toString", type: "string", required: true };
    expect(refused(bindParams([proto], {})).message).toContain("required");
    const hostile: Record<string, string> = Object.assign({}, JSON.parse('{"__proto__":"x"}'));
    expect(Object.getPrototypeOf(value(bindParams([dry], hostile)))).toBe(Object.prototype);
  });
});

describe("parseParamArgs", () => {
  it.each([
    [["--base", "main", "depth=3", "--dry"], { base: "main", depth: "3", dry: true }],
    [["--base=main"], { base: "main" }],
    [["--base=", "x="], { base: "", x: "" }],
    [["--depth", "-5"], { depth: "-5" }],
    [["--expr=a=b", "url=http://x?y=z"], { expr: "a=b", url: "http://x?y=z" }],
    [["--dry", "--base", "main"], { dry: true, base: "main" }],
    [["--text=line one\nline two"], { text: "line one\nline two" }],
    [["--base", ""], { base: "" }],
    [[], {}],
  ])("reads %j", (argv, expected) => {
    expect(value(parseParamArgs(argv))).toEqual(expected);
  });

  it("tells a flag from a name with a value when the declarations are known", () => {
    expect(value(parseParamArgs(["--dry", "base=main"], [dry, base]))).toEqual({ dry: true, base: "main" });
    expect(value(parseParamArgs(["--dry", "no", "base=main"], [dry, base]))).toEqual({ dry: "no", base: "main" });
  });

  it.each([[["stray"]], [["-x", "1"]], [["--"]], [["--1a", "b"]], [["--a", "1", "a=2"]], [["=x"]], [["--a b", "c"]]])(
    "refuses %j",
    (argv) => {
      expect(refused(parseParamArgs(argv))).toMatchObject({ code: "invalid", hint: expect.any(String) });
    },
  );

  it("gives back whatever was written as name=value", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (given) => {
        const argv = Object.entries(given).map(([key, text], index) => `${index % 2 === 0 ? "--" : ""}${key}=${text}`);
        expect(value(parseParamArgs(argv))).toEqual({ ...given });
      }),
      runs(200),
    );
  });
});
