import { join } from "node:path";
import { isScalar, isSeq, parseDocument } from "yaml";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { projectPath } from "../project-path.ts";
import { readTextInside } from "../read-text.ts";
import { MAX_DEFINITION_BYTES } from "../yaml/read-yaml.ts";

/**
 * Adds and removes entries of the `agents:` list of a project file. The rest of the file, with its comments, stays. The
 * project file must have been loaded before, because its size and shape are not checked again.
 */
export async function addToListing(
  projectDir: string,
  projectFile: string,
  file: string,
): Promise<Result<void, Refusal>> {
  return edit(projectDir, projectFile, (items) => [...items, file]);
}

export async function removeFromListing(
  projectDir: string,
  projectFile: string,
  file: string,
): Promise<Result<void, Refusal>> {
  const isEntryOf = (item: unknown): boolean => {
    const path = isScalar(item) && typeof item.value === "string" ? projectPath(item.value) : undefined;
    return path?.ok === true && path.value === file;
  };
  return edit(projectDir, projectFile, (items) => items.filter((item) => !isEntryOf(item)));
}

async function edit(
  projectDir: string,
  projectFile: string,
  change: (items: readonly unknown[]) => readonly unknown[],
): Promise<Result<void, Refusal>> {
  const text = readTextInside(projectDir, projectFile, MAX_DEFINITION_BYTES);
  if (!text.ok) return text;
  const document = parseDocument(text.value, { schema: "core", merge: false, uniqueKeys: false });
  const list = document.get("agents");
  if (!isSeq(list)) return ok(undefined);
  const items = change(list.items);
  list.items = items.map((item) => (typeof item === "string" ? document.createNode(item) : item));
  await writeFileAtomic(join(projectDir, projectFile), document.toString({ lineWidth: 0 }), { label: projectFile });
  return ok(undefined);
}
