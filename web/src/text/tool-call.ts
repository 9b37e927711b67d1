import { lineDiff, type DiffPart } from "../../../src/contract/text/line-diff.ts";
import { patchLines } from "./patch-lines.ts";

/** A tool call as people read it: a command line, a change of a file, or its arguments. */
export type ShownToolCall =
  | { readonly kind: "command"; readonly command: string; readonly folder: string | undefined }
  | { readonly kind: "change"; readonly path: string; readonly lines: readonly DiffPart[] }
  | { readonly kind: "other"; readonly text: string };

type Fields = Readonly<Record<string, unknown>>;

/** `args` is JSON, or the shortened text of a long one. Nothing of a call is ever left out. */
export function shownToolCall(args: string): ShownToolCall {
  const fields = parsed(args);
  if (fields === undefined) return { kind: "other", text: args };
  return commandOf(fields) ?? changeOf(fields) ?? { kind: "other", text: JSON.stringify(fields, null, 2) };
}

/** A tool call in one line, for a place with little room: the command, the file, or its arguments without the marks of JSON. */
export function lineOf(args: string): string {
  const call = shownToolCall(args);
  if (call.kind === "command") return call.command;
  if (call.kind === "change" && call.path !== "") return call.path;
  const fields = parsed(args);
  if (fields === undefined) return args;
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

const COMMAND_FIELDS = new Set(["command", "cmd", "cwd", "workdir", "description", "timeout"]);

function commandOf(fields: Fields): ShownToolCall | undefined {
  const command = textOf(fields, "command", "cmd");
  // A field that is not known may change what happens: then everything is shown.
  if (command === undefined || Object.keys(fields).some((name) => !COMMAND_FIELDS.has(name))) return undefined;
  return { kind: "command", command, folder: textOf(fields, "cwd", "workdir") };
}

const CHANGE_FIELDS = new Set(
  "path file_path file content old_string new_string old_str new_str oldText newText edits patch diff input".split(" "),
);

function changeOf(fields: Fields): ShownToolCall | undefined {
  if (Object.keys(fields).some((name) => !CHANGE_FIELDS.has(name))) return undefined;
  const path = textOf(fields, "path", "file_path", "file");
  const patch = textOf(fields, "patch", "diff", "input");
  if (patch !== undefined) return { kind: "change", path: path ?? "", lines: patchLines(patch) };
  if (path === undefined) return undefined;
  const content = textOf(fields, "content");
  if (content !== undefined) return { kind: "change", path, lines: lineDiff("", content) };
  const edits = Array.isArray(fields["edits"]) ? (fields["edits"] as readonly Fields[]) : [fields];
  const lines = edits.map(editLines);
  if (lines.length === 0 || lines.some((each) => each === undefined)) return undefined;
  const gap: DiffPart = { kind: "gap", text: "" };
  return { kind: "change", path, lines: lines.flatMap((each, at) => [...(at === 0 ? [] : [gap]), ...(each ?? [])]) };
}

function editLines(edit: Fields): readonly DiffPart[] | undefined {
  const before = textOf(edit, "old_string", "old_str", "oldText");
  const after = textOf(edit, "new_string", "new_str", "newText");
  return before === undefined || after === undefined ? undefined : lineDiff(before, after);
}

function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => value !== undefined);
  return typeof found === "string" ? found : undefined;
}

function parsed(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** Commands after which something is gone, somewhere else, or run by somebody with more rights. */
const DANGEROUS: readonly RegExp[] = [
  /\brm\s+(?:-\w*\s+)*-\w*[rf]/,
  /\b(?:sudo|doas|su)\b/,
  /\b(?:mkfs\S*|dd|shred|fdisk|shutdown|reboot|killall|pkill)\b/,
  /\bgit\s+(?:push\b.*(?:--force|-f\b|\+)|reset\s+--hard|clean\s+-\w*f|branch\s+-D)/,
  /\b(?:curl|wget)\b.*\|\s*(?:\w*sh|python\S*|node|perl)\b/,
  /\bchmod\s+(?:-\w*R|777)/,
  /\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA)\b/i,
  /\b(?:npm|pnpm|yarn|cargo|gem)\s+publish\b/,
  /\b(?:kubectl|terraform|docker|aws|gcloud)\b.*\b(?:delete|destroy|prune|rm)\b/,
  /(?:^|[^&\d])>\s*\/(?!dev\/null)/,
  /:\(\)\s*\{/,
];

/** Whether a person is asked twice before the call is approved. Only a help: it finds what is usual, not everything. */
export function isDangerous(call: ShownToolCall): boolean {
  return call.kind === "command" && DANGEROUS.some((pattern) => pattern.test(call.command));
}
