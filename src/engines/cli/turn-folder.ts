import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryRoot } from "../process/process-reaper.ts";

/**
 * Files of one turn (system prompt, MCP configuration with its token) that only this user can read, removed with the
 * turn.
 */
export interface TurnFolder extends AsyncDisposable {
  readonly path: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

export async function createTurnFolder(): Promise<TurnFolder> {
  const path = await mkdtemp(join(await temporaryRoot(), "turn-"));
  return {
    path,
    write: async (files) => {
      for (const [name, text] of Object.entries(files)) {
        const file = join(path, name);
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(file, text, { mode: 0o600, flag: "wx" });
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }).catch(() => {}),
  };
}
