"use strict";

// Runs commands from bundles, because finding and linking modules takes longer than most commands do. See README.md.
const { readFileSync, renameSync, statSync, writeFileSync } = require("fs");
const path = require("path");
const vm = require("vm");

/** The commands in each bundle, by the folder of the bundle. */
const BUNDLES = { commands: ["ls", "send", "peek", "inbox"], daemon: ["daemon", "status"] };
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

/** Returns undefined when there is no bundle, or when a source was changed or removed after bundling. */
function currentProgram(folder) {
  try {
    const { program, sources } = JSON.parse(readFileSync(path.join(folder, "bundle.json"), "utf8"));
    return sources.every(isUnchanged) ? path.join(folder, program) : undefined;
  } catch {
    return undefined;
  }
}

function isUnchanged([file, size, modifiedMs]) {
  const stats = statSync(path.join(ROOT, file));
  return stats.size === size && stats.mtimeMs === modifiedMs;
}

/**
 * Runs a script with the V8 code cache of an earlier run, and writes the cache when there is none or V8 rejects it.
 * The name of the script contains a hash of its content, because V8 compares nothing but lengths. The cache is inside
 * the package, where only users who can change the program can write. The script may require parts of Node only.
 */
function runScript(file, command) {
  const cacheFile = `${file}.${command}-${process.version}-${process.arch}`;
  const cachedData = readIfPresent(cacheFile);
  const script = new vm.Script(readFileSync(file, "utf8"), {
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

function readIfPresent(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function writeCache(file, code) {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, code);
    renameSync(temporary, file);
  } catch {
    // The package may be read-only; then the command only starts more slowly.
  }
}

module.exports = { BUNDLES, findQuickCommand, runScript };
