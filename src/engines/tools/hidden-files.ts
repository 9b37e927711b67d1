import { posix } from "node:path";
import type { IFileSystem } from "just-bash";

/**
 * Returns a file system in which some files do not exist: they cannot be read, listed, copied, moved, linked or written.
 * Folders are copied and moved file by file, so that nothing hidden comes along under another name. The file system must
 * not follow links. With `isProtected`, some files cannot be changed, made or deleted either, also not with a folder that
 * contains them, and no link can be made, because other programs would follow it.
 */
export function hideFiles(
  fs: IFileSystem,
  isHidden: (path: string) => boolean,
  isProtected?: (path: string) => boolean,
): IFileSystem {
  const hidden = (path: string): boolean => isHidden(posix.normalize(path));
  const seen = (path: string): string => {
    if (hidden(path)) throw new Error(`ENOENT: no such file or directory, '${path}'`);
    return path;
  };
  const denied = (path: string): Error => new Error(`EACCES: permission denied, '${path}'`);
  const changeable = (path: string): string => {
    if (isProtected?.(posix.normalize(path)) === true) throw denied(path);
    return path;
  };
  const writable = (path: string): string => {
    if (hidden(path)) throw denied(path);
    return changeable(path);
  };
  /** A folder is removed with all that is in it. */
  const removable = async (path: string): Promise<string> => {
    if (isProtected === undefined) return path;
    changeable(path);
    const stats = await fs.lstat(path).catch(() => undefined);
    if (stats?.isDirectory !== true) return path;
    for (const name of await fs.readdir(path)) {
      const inside = posix.join(path, name);
      if (hidden(inside)) throw denied(inside);
      await removable(inside);
    }
    return path;
  };
  const linkable = (path: string): string => {
    if (isProtected !== undefined) throw denied(path);
    return writable(path);
  };
  const shown = (folder: string, names: readonly string[]): string[] =>
    names.filter((name) => !hidden(posix.join(folder, name)));

  const readFileBytes = fs.readFileBytes?.bind(fs);
  const wrapped: IFileSystem = {
    readFile: async (path, options) => fs.readFile(seen(path), options),
    ...(readFileBytes === undefined ? {} : { readFileBytes: async (path: string) => readFileBytes(seen(path)) }),
    readFileBuffer: async (path) => fs.readFileBuffer(seen(path)),
    writeFile: async (path, content, options) => fs.writeFile(writable(path), content, options),
    appendFile: async (path, content, options) => fs.appendFile(writable(path), content, options),
    exists: async (path) => !hidden(path) && fs.exists(path),
    stat: async (path) => fs.stat(seen(path)),
    lstat: async (path) => fs.lstat(seen(path)),
    mkdir: async (path, options) => fs.mkdir(writable(path), options),
    readdir: async (path) => shown(path, await fs.readdir(seen(path))),
    rm: async (path, options) => fs.rm(await removable(seen(path)), options),
    cp: async (from, to, options) => {
      if (!(await wrapped.lstat(from)).isDirectory) {
        await wrapped.writeFile(to, await wrapped.readFileBuffer(from));
        return;
      }
      if (options?.recursive !== true) throw new Error(`EISDIR: is a directory, cp '${from}'`);
      const names = await wrapped.readdir(from);
      await wrapped.mkdir(to, { recursive: true });
      for (const name of names) await wrapped.cp(posix.join(from, name), posix.join(to, name), options);
    },
    mv: async (from, to) => {
      await removable(seen(from));
      await wrapped.cp(from, to, { recursive: true });
      await wrapped.rm(from, { recursive: true, force: true });
    },
    resolvePath: (base, path) => fs.resolvePath(base, path),
    getAllPaths: () => fs.getAllPaths().filter((path) => !hidden(path)),
    chmod: async (path, mode) => fs.chmod(changeable(seen(path)), mode),
    symlink: async (target, path) => fs.symlink(target, linkable(path)),
    link: async (from, to) => fs.link(seen(from), linkable(to)),
    readlink: async (path) => fs.readlink(seen(path)),
    realpath: async (path) => fs.realpath(seen(path)),
    utimes: async (path, atime, mtime) => fs.utimes(changeable(seen(path)), atime, mtime),
  };
  return wrapped;
}
