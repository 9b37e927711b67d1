/**
 * Returns the folders in which programs are looked up, without those that belong to the project: npm puts
 * `node_modules/.bin` of the current folder and of every folder above it first, and a stranger's project may bring
 * programs there. Relative folders are left out for the same reason.
 */
export function withoutProjectPrograms(searchPath: string, projectDir: string): string {
  const { delimiter, isAbsolute, relative } = process.getBuiltinModule("node:path");
  const isInside = (folder: string, parent: string): boolean => !/^\.\.(?:[\\/]|$)/.test(relative(parent, folder));
  return searchPath
    .split(delimiter)
    .filter((folder) => {
      if (!isAbsolute(folder)) return false;
      const owner = /^(.*)[\\/]node_modules[\\/]\.bin[\\/]?$/s.exec(folder)?.[1];
      if (owner === undefined) return true;
      return !isInside(projectDir, owner === "" ? "/" : owner) && !isInside(owner, projectDir);
    })
    .join(delimiter);
}
