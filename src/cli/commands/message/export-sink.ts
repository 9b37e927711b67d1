import { once } from "node:events";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { temporaryName } from "../../../files/atomic-write.ts";
import { fileFault } from "../../../files/file-fault.ts";
import type { Terminal } from "../../output/terminal.ts";

/** Where a long text goes, part by part; nothing is held back in memory. */
export interface ExportSink extends AsyncDisposable {
  write(text: string): Promise<void>;
  /** Everything was written: only now a file takes its name. */
  finish(): Promise<void>;
}

export function printing(terminal: Terminal): ExportSink {
  return {
    async write(text) {
      terminal.print(text);
      if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
    },
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** A file that is whole or not there; what had its name before stays until then. */
export async function writingTo(name: string, terminal: Terminal): Promise<ExportSink> {
  const path = resolve(terminal.cwd, name);
  const temporary = join(dirname(path), temporaryName());
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fileFault("write", name, error);
    }
  };
  const file = await failing(() => open(temporary, "wx"));
  let finished = false;
  return {
    write: (text) => failing(() => file.writeFile(text)),
    finish: () =>
      failing(async () => {
        await file.sync();
        await file.close();
        await rename(temporary, path);
        finished = true;
      }),
    async [Symbol.asyncDispose]() {
      if (finished) return;
      await file.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}
