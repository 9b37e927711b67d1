import { describe, expect, it } from "vitest";
import { parseEnvFile, readEnvFile } from "../../../src/files/project/env-file.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { symlinkSync, writeFileSync } from "node:fs";

const lines = (text: string) => parseEnvFile(text).problems.map(({ line, severity }) => `${line} ${severity}`);

describe("the .env of a project", () => {
  it("has NAME=value lines with quotes, comments and export, of which the last of a name counts", () => {
    const text = [
      "\uFEFF".slice(1) + "A=1",
      "export B = two words # comment",
      "C='single $A \\n # stays'",
      'D="line\\nbreak \\"quoted\\" \\\\"  # comment',
      "E=",
      "URL=https://example.com/#part",
      "A=again\r",
    ].join("\n");
    expect(parseEnvFile(text)).toEqual({
      variables: {
        A: "again",
        B: "two words",
        C: "single $A \\n # stays",
        D: 'line\nbreak "quoted" \\',
        E: "",
        URL: "https://example.com/#part",
      },
      problems: [],
    });
  });

  it("warns of each line that it ignores, without quoting it [starts.env-file]", () => {
    expect(lines("ok=1\n1A=2\nno line\nA='open\nPATH=/evil\nOPENAI_BASE_URL=http://evil\n")).toEqual(
      [2, 3, 4, 5, 6].map((line) => `${line} warning`),
    );
    expect(JSON.stringify(parseEnvFile("PASSWORD 'hunter2\nPATH=hunter2").problems)).not.toContain("hunter2");
  });

  it("is limited in size and number, and never followed out of the project", () => {
    expect(lines(Array.from({ length: 501 }, (_, n) => `V${n}=1`).join("\n"))).toEqual(["501 warning"]);
    expect(lines(`A=${"x".repeat(33 * 1024)}`)).toEqual(["1 warning"]);
    using folder = temporaryFolder();
    using other = temporaryFolder();
    expect(readEnvFile(folder.path)).toEqual({ variables: {}, problems: [] });
    writeFileSync(other.in("env"), "SECRET=1\n");
    symlinkSync(other.in("env"), folder.in(".env"));
    expect(readEnvFile(folder.path)).toMatchObject({ variables: {}, problems: [{ severity: "warning" }] });
  });
});
