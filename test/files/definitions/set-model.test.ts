import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { setModel } from "../../../src/files/definitions/set-model.ts";

describe("another model in the file of an agent", () => {
  it("replaces the value and nothing else [terminal.model]", () => {
    const text = "# who\nname: ann   # her name\nmodel: 'a/b'   # fast\nprompt: { system: 'model: x' }\n";
    expect(setModel(text, "c/d-1")).toBe(text.replace("'a/b'", "c/d-1"));
    const windows = "name: ann\r\nmodel: x # y\r\nprompt: { system: Hi. }\r\n";
    expect(setModel(windows, "z")).toBe(windows.replace("model: x", "model: z"));
    const inside = 'name: ann\nprompt:\n  system: |\n    model: old\nmodel: "a#b"\n';
    expect(setModel(inside, "new")).toBe(inside.replace('"a#b"', "new"));
    expect(setModel("name: ann\nmodel:\nprompt: { system: Hi. }\n", "c/d")).toContain("model: c/d\nprompt");
  });

  it("is added after the engine or the name where there was none [terminal.model]", () => {
    expect(setModel("name: ann\nbackend: claude # mine\nprompt: { system: Hi. }\n", "opus")).toBe(
      "name: ann\nbackend: claude # mine\nmodel: opus\nprompt: { system: Hi. }\n",
    );
    expect(setModel("name: ann", "opus")).toBe("name: ann\nmodel: opus\n");
    expect(setModel("# only\nprompt: { system: Hi. }\n", "opus")).toBe(
      "model: opus\n# only\nprompt: { system: Hi. }\n",
    );
  });

  it("is quoted where YAML would read something else [terminal.model]", () => {
    for (const model of ["qwen3:8b", "4o", "true", "a #b", 'say "x"']) {
      expect(parse(setModel("name: ann\nmodel: x\n", model) ?? "")).toEqual({ name: "ann", model });
    }
  });

  it("is refused where it cannot be changed in place [terminal.model]", () => {
    expect(setModel("{ name: ann, model: x }\n", "y")).toBeUndefined();
    expect(setModel("name: ann\nmodel: { a: 1 }\n", "y")).toBeUndefined();
    expect(setModel("name: ann\nmodel: |\n  x\n", "y")).toBeUndefined();
    expect(setModel("name: ann\n'model': x\n", "y")).toBeUndefined();
  });
});
