"use strict";

// Runs commands from bundles, because finding and linking modules takes longer than most commands do. See README.md.
const fs = require("fs");
const path = require("path");
const vm = require("vm");

/** The commands in each bundle, by the folder of the bundle. */
const BUNDLES = { commands: ["ls", "send", "peek", "inbox"], chat: ["chat"], daemon: ["daemon", "status"] };
const ROOT = path.join(__dirname, "../..");
const FOLDERS = [path.join(ROOT, "node_modules/.cache/agent-worker"), path.join(ROOT, "dist/bundles")];

/** Returns the file to run the command from: a script (`.cjs`), a module (`.mjs`), or undefined for the whole program. */
function findQuickCommand(command) {
  const bundle = Object.keys(BUNDLES).find((name) => BUNDLES[name].includes(command));
  if (bundle === undefined) return undefined;
  for (const folder of FOLDERS) {
    const program = currentProgram(path.join(folder, bundle));
    if (program !== undefined) return program;
  }
  return undefined;
}

/** Returns undefined when there is no bundle, others can write to it, or a source was changed or removed after bundling. */
function currentProgram(folder) {
  try {
    const manifest = path.join(folder, "bundle.json");
    const { program, sources } = JSON.parse(fs.readFileSync(manifest, "utf8"));
    const file = path.join(folder, program);
    return [manifest, file].every(isClosedToOthers) && sources.every(isUnchanged) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** A bundle may belong to the user who installed the package. */
function isClosedToOthers(file) {
  return process.getuid === undefined || (fs.statSync(file).mode & 0o022) === 0;
}

function isUnchanged([file, size, modifiedMs]) {
  const stats = fs.statSync(path.join(ROOT, file));
  return stats.size === size && stats.mtimeMs === modifiedMs;
}

/**
 * Runs a script with the V8 code cache of an earlier run, and writes the cache when there is none or V8 rejects it.
 * The name of the script contains a hash of its content, because V8 compares nothing but lengths. Code that another user
 * could have written is not run. The script may require parts of Node only.
 */
function runScript(file, command) {
  const cacheFile = `${file}.${command}-${process.version}-${process.arch}`;
  const cachedData = readOwnCode(cacheFile);
  const script = new vm.Script(fs.readFileSync(file, "utf8"), {
    filename: file,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const program = { exports: {} };
  script.runInThisContext()(program, program.exports, require, file);
  if (cachedData !== undefined && !script.cachedDataRejected) return;
  // At exit, everything that the command uses has been compiled.
  process.once("exit", (code) => {
    if (code === 0) writeCache(cacheFile, script.createCachedData());
  });
}

/** Returns undefined when there is no such file, or when anyone except this user and root could have written it. */
function readOwnCode(file) {
  let descriptor;
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fs.fstatSync(descriptor);
    return stats.isFile() && stats.nlink === 1 && isOwn(stats) ? fs.readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Whether only this user, or root, can write to a file or folder. Windows has no such modes. */
function isOwn(stats) {
  if (process.getuid === undefined) return true;
  return (stats.uid === process.getuid() || stats.uid === 0) && (stats.mode & 0o022) === 0;
}

/** The file is created under a name that nobody else has opened, for this user only, whatever the umask. */
function writeCache(file, code) {
  const temporary = `${file}.${process.pid}`;
  try {
    fs.rmSync(temporary, { force: true });
    const descriptor = fs.openSync(temporary, "wx", 0o600);
    try {
      fs.fchmodSync(descriptor, 0o600);
      fs.writeFileSync(descriptor, code);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, file);
  } catch {
    // The package may be read-only; then the command only starts more slowly.
  }
}

module.exports = { BUNDLES, findQuickCommand, isOwn, runScript };
