/**
 * Loaded into a daemon with `--import`: kills it, as `kill -9` would, when it renames a file whose new name ends with
 * what KILL_AT says (`before:ENDING` or `after:ENDING`), just before or just after that.
 */
import { syncBuiltinESMExports } from "node:module";

const fs = process.getBuiltinModule("node:fs");
const [when, ending = ""] = (process.env["KILL_AT"] ?? "").split(":");

function die(): void {
  process.kill(process.pid, "SIGKILL");
  // The signal may arrive a little later, and nothing must happen meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function around<Args extends readonly [unknown, unknown, ...unknown[]]>(rename: (...args: Args) => void) {
  return (...args: Args): void => {
    const isIt = String(args[1]).endsWith(ending);
    if (isIt && when === "before") die();
    rename(...args);
    if (isIt && when === "after") die();
  };
}

if (ending !== "") {
  fs.renameSync = around(fs.renameSync);
  fs.linkSync = around(fs.linkSync);
  syncBuiltinESMExports();
}
