import { parseBoundedYaml } from "../yaml/bounded-yaml.ts";

/**
 * Reads the description in a `SKILL.md`. Other tools write these files too, often with invalid YAML (a colon in the
 * description is common), so nothing is refused: a header that cannot be parsed is read line by line.
 */
const MAX_DESCRIPTION = 1024;
const FRONT_MATTER = /^\uFEFF?---[^\S\n]*\r?\n([\s\S]*?)\r?\n---[^\S\n]*(?:\r?\n|$)/;

export function skillDescription(text: string): string {
  const front = FRONT_MATTER.exec(text);
  const written = front === null ? undefined : describedIn(front[1] ?? "");
  return oneLine(written ?? firstSentence(text.slice(front?.[0].length ?? 0)) ?? "No description.");
}

function describedIn(front: string): string | undefined {
  const { document } = parseBoundedYaml(front);
  const value: unknown = document?.get?.("description");
  if (typeof value === "string") return value.trim() || undefined;
  return /^description:[^\S\n]*(\S.*)$/m.exec(front)?.[1]?.replace(/^(["'])(.*)\1\s*$/, "$2");
}

function firstSentence(body: string): string | undefined {
  return body.split("\n").find((line) => /^\s*[^\s#<`|=-]/.test(line));
}

function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION).toWellFormed()}…` : line;
}
