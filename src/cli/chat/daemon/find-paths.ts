const { readdirSync } = process.getBuiltinModule("node:fs");
const { basename, dirname, join, resolve } = process.getBuiltinModule("node:path");

const MOST = 8;
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Returns paths that begin so, relative to the folder. A folder ends in a slash. */
export function findPaths(beginning: string, cwd: string): string[] {
  const isFolder = beginning === "" || beginning.endsWith("/");
  const folder = isFolder ? beginning : `${dirname(beginning)}/`;
  const start = isFolder ? "" : basename(beginning);
  const shown = folder === "./" && !beginning.startsWith("./") ? "" : folder;
  try {
    return readdirSync(resolve(cwd, folder), { withFileTypes: true })
      .filter(({ name }) => name.startsWith(start) && !LEFT_OUT.has(name) && (start !== "" || !name.startsWith(".")))
      .map((entry) => `${shown === "" ? entry.name : join(shown, entry.name)}${entry.isDirectory() ? "/" : ""}`)
      .toSorted()
      .slice(0, MOST);
  } catch {
    return [];
  }
}
