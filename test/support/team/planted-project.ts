import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export const repository = resolve(import.meta.dirname, "../../..");

/** A small project in a folder of its own, for planting what a gate has to find. Gone when it leaves scope. */
export interface PlantedProject extends Disposable {
  readonly root: string;
  plant(path: string, text: string): void;
  /** Gives it the repository's own Node and tools. */
  installTools(): void;
}

export function plantedProject(files: Readonly<Record<string, string>> = {}): PlantedProject {
  const root = mkdtempSync(join(tmpdir(), "planted-"));
  const plant = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) plant(path, text);
  return {
    root,
    plant,
    installTools: () => symlinkSync(join(repository, "node_modules"), join(root, "node_modules")),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
