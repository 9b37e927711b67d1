import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { fileModeIn, openFolder } from "../confined-folder.ts";
import { DEFINITION_KINDS, jsonSchema, SCHEMA_FOLDER } from "../definitions/schema/json-schema.ts";

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
  return ok(undefined);
}
