import { describe, expect, it } from "vitest";
import { changedLines } from "../../../src/engines/tools/changed-lines.ts";

describe("the part of a file that a write changes", () => {
  const file = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");

  it("is the changed lines, with three lines on each side [terminal.decide]", () => {
    const { removed, added } = changedLines(file, file.replace("line 50", "line fifty"));
    expect(removed.split("\n")).toEqual(["47", "48", "49", "50", "51", "52", "53"].map((at) => `line ${at}`));
    expect(added).toBe(removed.replace("line 50", "line fifty"));
  });

  it("is right at both ends, for repeated lines and for texts of different length [terminal.decide]", () => {
    expect(changedLines("", "a\n")).toEqual({ removed: "", added: "a\n" });
    expect(changedLines("a\na\n", "a\na\na\n")).toEqual({ removed: "a\na\n", added: "a\na\na\n" });
    expect(changedLines("same\n", "same\n").removed).toBe("same\n");
    expect(changedLines("x\ny\nz", "z")).toEqual({ removed: "x\ny\nz", added: "z" });
  });
});
