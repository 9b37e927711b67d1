import { diffTexts, type DiffLine } from "./line-diff.ts";

/** What a tool call does, as people know it: a command, a change of a file, or fields. */
export type CallShape =
  | { readonly kind: "command"; readonly command: string; readonly about: string | undefined }
  | { readonly kind: "change"; readonly file: string; readonly lines: readonly DiffLine[] }
  | { readonly kind: "fields"; readonly fields: readonly (readonly [name: string, text: string])[] }
  /** The arguments are no object, or were shortened. */
  | { readonly kind: "text"; readonly text: string };

const FILE_KEYS = ["file_path", "filePath", "path", "file", "filename"];
const OLD_KEYS = ["old_string", "oldString", "oldText", "old_str", "old"];
const NEW_KEYS = ["new_string", "newString", "newText", "new_str", "new"];
const CONTENT_KEYS = ["content", "contents", "text", "file_text"];
const PATCH_KEYS = ["patch", "diff", "input"];

/** `args` is the arguments, or their JSON. */
export function callShape(args: unknown): CallShape {
  const value = typeof args === "string" ? parsed(args) : args;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "text", text: typeof args === "string" ? args : (JSON.stringify(args) ?? "") };
  }
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return commandOf(fields) ?? changeOf(fields) ?? nested(fields) ?? { kind: "fields", fields: texts(fields) };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function commandOf(fields: Readonly<Record<string, unknown>>): CallShape | undefined {
  const given = fields["command"] ?? fields["cmd"] ?? fields["script"];
  const isWords = Array.isArray(given) && given.every((word) => typeof word === "string");
  if (typeof given !== "string" && !isWords) return undefined;
  const about = fields["description"] ?? fields["reason"] ?? fields["justification"];
  return {
    kind: "command",
    command: typeof given === "string" ? given : given.map(quoted).join(" "),
    about: typeof about === "string" && about !== "" ? about : undefined,
  };
}

function changeOf(fields: Readonly<Record<string, unknown>>): CallShape | undefined {
  const patch = textAt(fields, PATCH_KEYS);
  if (patch !== undefined && /^(@@|\*\*\* Begin Patch|--- |diff )/m.test(patch)) {
    return {
      kind: "change",
      file: textAt(fields, FILE_KEYS) ?? patchedFile(patch),
      lines: patch.split("\n").map(patchLine),
    };
  }
  const file = textAt(fields, FILE_KEYS);
  if (file === undefined) return undefined;
  const edits = Array.isArray(fields["edits"]) ? fields["edits"] : [fields];
  const changes = edits.map((each: unknown) => editLines({ ...(each as object) }));
  if (changes.every((change) => change !== undefined)) return { kind: "change", file, lines: changes.flat() };
  const content = textAt(fields, CONTENT_KEYS);
  return content === undefined ? undefined : { kind: "change", file, lines: diffTexts("", content) };
}

/** Protocols put the arguments of a program into a field of their own. */
function nested(fields: Readonly<Record<string, unknown>>): CallShape | undefined {
  for (const key of ["rawInput", "raw_input", "arguments", "args"]) {
    const inner = fields[key];
    if (typeof inner !== "object" || inner === null) continue;
    const shape = callShape(inner);
    if (shape.kind === "command" || shape.kind === "change") return shape;
  }
  return undefined;
}

function editLines(fields: Readonly<Record<string, unknown>>): DiffLine[] | undefined {
  const before = textAt(fields, OLD_KEYS);
  const after = textAt(fields, NEW_KEYS);
  return before === undefined || after === undefined ? undefined : diffTexts(before, after);
}

function patchLine(text: string): DiffLine {
  const sign =
    text.startsWith("+") && !text.startsWith("+++") ? "+" : text.startsWith("-") && !text.startsWith("---") ? "-" : " ";
  return { sign, text: sign === " " ? text.replace(/^ /, "") : text.slice(1) };
}

function patchedFile(patch: string): string {
  return /^(?:\+\+\+ (?:b\/)?|\*\*\* (?:Update|Add|Delete) File: )(.+)$/m.exec(patch)?.[1] ?? "a patch";
}

function textAt(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : undefined;
}

function texts(fields: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""),
  ]);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
