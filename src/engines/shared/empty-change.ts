import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";

/** Larger files are not compared. */
const MAX_BYTES = 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a call of a program writes a file as it is, or replaces a text by the same text. Such a call is nothing to
 * decide about. Programs have different names for the same fields; a call that is not understood counts as a change.
 */
export async function changesNothing(args: unknown, cwd: string): Promise<boolean> {
  if (typeof args !== "object" || args === null) return false;
  const fields = args as Fields;
  const path = textOf(fields, "file_path", "filePath", "path", "abs_path");
  if (path === undefined) return false;
  const content = textOf(fields, "content");
  if (content !== undefined) return (await textAt(resolve(cwd, path))) === content;
  const edits: readonly unknown[] = Array.isArray(fields["edits"]) ? fields["edits"] : [fields];
  return edits.length > 0 && edits.every(isEmptyEdit);
}

function isEmptyEdit(edit: unknown): boolean {
  if (typeof edit !== "object" || edit === null) return false;
  const before = textOf(edit as Fields, "old_string", "oldString", "old_str", "oldText");
  return before !== undefined && before === textOf(edit as Fields, "new_string", "newString", "new_str", "newText");
}

function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => value !== undefined);
  return typeof found === "string" ? found : undefined;
}

async function textAt(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > MAX_BYTES ? undefined : await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
