import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { fileModeIn, openFolder } from "../confined-folder.ts";
import { DEFINITION_KINDS, jsonSchema, modeline, SCHEMA_FOLDER } from "../definitions/schema/json-schema.ts";
import { discoverFiles } from "./discover-files.ts";
import { AGENTS_FOLDER, PROJECT_FILES, WORKFLOWS_FOLDER } from "./find-project.ts";

/** Writes the JSON Schemas to the folder that the first lines of definition files name. Idempotent. */
export async function writeSchemas(projectDir: string): Promise<Result<void, Refusal>> {
  const opened = openFolder(projectDir, SCHEMA_FOLDER.split("/"), { create: true });
  if (!opened.ok) return opened;
  using folder = opened.value;
  for (const kind of DEFINITION_KINDS) {
    const text = `${JSON.stringify(jsonSchema(kind))}\n`;
    await writeFileAtomic(folder.at(`${kind}.json`), text, {
      mode: fileModeIn(folder),
      label: `${SCHEMA_FOLDER}/${kind}.json`,
    });
  }
  await writeFileAtomic(folder.at(ATTRIBUTES_FILE), ATTRIBUTES, {
    mode: fileModeIn(folder),
    label: `${SCHEMA_FOLDER}/${ATTRIBUTES_FILE}`,
  });
  return ok(undefined);
}

/** In a diff each schema is one line: a review of a branch with a new team is about the team. */
const ATTRIBUTES_FILE = ".gitattributes";
const ATTRIBUTES = "# Written by agent-worker schema --write.\n*.json -diff linguist-generated\n";

/** Earlier versions wrote the schemas into a folder that git ignores. */
const OLD_MODELINE =
  /^# yaml-language-server: \$schema=(?:\.\.\/)?\.workspace\/schema\/(agent|workflow|project)\.json$/m;

/** Changes the first lines of definitions that name the schemas of earlier versions. Returns the changed files. */
export async function renewModelines(projectDir: string): Promise<readonly string[]> {
  const files = [
    ...PROJECT_FILES.filter((file) => existsSync(join(projectDir, file))),
    ...[AGENTS_FOLDER, WORKFLOWS_FOLDER].flatMap((folder) => discoverFiles(projectDir, folder).map(({ file }) => file)),
  ];
  const changed: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(projectDir, file), "utf8");
    const [old, kind] = OLD_MODELINE.exec(text) ?? [];
    if (old === undefined || kind === undefined) continue;
    const renewed = text.replace(old, () => modeline(kind as (typeof DEFINITION_KINDS)[number]));
    await writeFileAtomic(join(projectDir, file), renewed, { label: file });
    changed.push(file);
  }
  return changed;
}
