import { existsSync } from "node:fs";
import { writeFileAtomic } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";

const FOLDER = ".workspace";
const IGNORE_FILE = ".gitignore";

/**
 * Keeps git from taking the working data of a project, also where nobody wrote a `.gitignore` for it: the folder ignores
 * itself. Changes nothing when the folder is not there, or has such a file already.
 */
export async function ignoreWorkingData(projectDir: string): Promise<void> {
  const opened = openFolder(projectDir, [FOLDER]);
  if (!opened.ok) return;
  using folder = opened.value;
  if (existsSync(folder.at(IGNORE_FILE))) return;
  await writeFileAtomic(folder.at(IGNORE_FILE), "*\n", { exclusive: true, label: `${FOLDER}/${IGNORE_FILE}` });
}
