import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { readText, readTextInside } from "../read-text.ts";
import { parseYaml } from "./parse-yaml.ts";
import type { ParsedYaml } from "./parse-yaml.ts";
import { problem } from "./problem.ts";

/** A definition is written by hand; a larger file is not one. Checked before the file is read. */
export const MAX_DEFINITION_BYTES = 1024 * 1024;

/** Reads and parses a definition that a person named; problems show it as `file`. Never throws because of its content. */
export function readYaml(path: string, file: string = path): ParsedYaml {
  return parse(file, readText(path, MAX_DEFINITION_BYTES));
}

/** The same for a definition that must be inside the project. */
export function readYamlInside(projectDir: string, file: string): ParsedYaml {
  return parse(file, readTextInside(projectDir, file, MAX_DEFINITION_BYTES));
}

function parse(file: string, read: Result<string, Refusal>): ParsedYaml {
  if (read.ok) return parseYaml(file, read.value);
  const { code, message, hint, details } = read.error;
  const place = { line: position(details?.["line"]), column: position(details?.["column"]), text: "" };
  const advice = code === "too_large" ? "Move long text into a file of its own and name it with system_file." : hint;
  return { ok: false, problems: [problem(file, place, message, advice === undefined ? {} : { hint: advice })] };
}

function position(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 1;
}
