import { openFolder } from "../confined-folder.ts";
import { narrowPrivateFile, writePrivateFile } from "../private-file.ts";

const FOLDER = ".workspace";
const IGNORE_FILE = ".gitignore";

/**
 * Keeps git from taking the working data of a project, also where nobody wrote a `.gitignore` for it: the folder ignores
 * itself. Changes nothing when the folder is not there. A file that is there stays, and is ours alone from then on.
 */
export function ignoreWorkingData(projectDir: string): void {
  const opened = openFolder(projectDir, [FOLDER]);
  if (!opened.ok) return;
  using folder = opened.value;
  const path = folder.at(IGNORE_FILE);
  if (narrowPrivateFile(path) === undefined) writePrivateFile(path, "*\n");
}
