import { once } from "node:events";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { temporaryName } from "../../../files/atomic-write.ts";
import { fileFault } from "../../../files/file-fault.ts";
import type { Terminal } from "../../output/terminal.ts";

/** The destination of a long text that is written part by part. */
export interface ExportSink extends AsyncDisposable {
  write(text: string): Promise<void>;
  /** Call it after the last part: only then a file gets its name. */
  finish(): Promise<void>;
}

export function terminalSink(terminal: Terminal): ExportSink {
  return {
    async write(text) {
      terminal.printContent(text);
      if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
    },
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Writes a temporary file that replaces the named one on finish. */
export async function fileSink(name: string, terminal: Terminal): Promise<ExportSink> {
  const path = resolve(terminal.cwd, name);
  const temporary = join(dirname(path), temporaryName());
  const orFault = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fileFault("write", name, error);
    }
  };
  const file = await orFault(() => open(temporary, "wx"));
  let finished = false;
  return {
    write: (text) => orFault(() => file.writeFile(text)),
    finish: () =>
      orFault(async () => {
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
