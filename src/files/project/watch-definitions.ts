import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../kernel/clock.ts";
import { AGENTS_FOLDER, PROJECT_FILES, WORKFLOWS_FOLDER } from "./find-project.ts";

const FOLDERS: readonly string[] = [AGENTS_FOLDER, WORKFLOWS_FOLDER];
const IN_PROJECT: readonly string[] = [...PROJECT_FILES, ...FOLDERS];
/** A program that writes several files, such as Git, is finished within this time. */
const SETTLE_MS = 50;

/**
 * Calls the function soon after a definition file may have changed. Where the machine cannot watch a folder nothing
 * happens: whoever needs the files to be current looks at them anyway.
 */
export function watchDefinitions(projectDir: string, mayHaveChanged: () => void): Disposable {
  const watchers = new Map<string, FSWatcher>();
  const disposed = new AbortController();
  let settling: Promise<void> | undefined;

  const changed = (): void => {
    settling ??= systemClock.sleep(SETTLE_MS, disposed.signal).then(
      () => {
        settling = undefined;
        for (const folder of FOLDERS) open(folder, isDefinition);
        mayHaveChanged();
      },
      () => {},
    );
  };
  const close = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const open = (folder: string, matters: (name: string) => boolean): void => {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(join(projectDir, folder), { persistent: false }, (_event, name) => {
        if (name === null || matters(name)) changed();
      });
      watcher.on("error", () => close(folder));
      watchers.set(folder, watcher);
    } catch {
      // There is no such folder yet, or the machine has no more watchers.
    }
  };
  open(".", (name) => {
    // A folder that was removed or replaced has to be watched again.
    if (FOLDERS.includes(name)) close(name);
    return IN_PROJECT.includes(name);
  });
  for (const folder of FOLDERS) open(folder, isDefinition);
  return {
    [Symbol.dispose]() {
      disposed.abort();
      for (const folder of watchers.keys()) close(folder);
    },
  };
}

function isDefinition(name: string): boolean {
  return /\.ya?ml$/iu.test(name);
}
