"use strict";

// Commands people type all day, and the daemon they wait for, are also kept as a few files: finding and linking a
// module takes longer than most of what it does. `scripts/bundle-commands.ts` makes them; what does not match its
// sources any more is not used.
const { readFileSync, renameSync, statSync, writeFileSync } = require("fs");
const vm = require("vm");

/** By the folder of the bundle. */
const BUNDLES = { commands: ["ls", "send", "peek", "inbox"], daemon: ["daemon", "status"] };
// Paths are put together by hand: `path.join` makes them prettier and takes longer than the files behind them.
const ROOT = `${__dirname}/..`;
const FOLDERS = [`${ROOT}/node_modules/.cache/agent-worker`, `${ROOT}/dist/bundles`];

/** The file that can run the command instead of the sources, or undefined: a script (`.cjs`) or a module (`.mjs`). */
function findQuickCommand(command) {
  const name = Object.keys(BUNDLES).find((each) => BUNDLES[each].includes(command));
  if (name === undefined) return undefined;
  for (const folder of FOLDERS) {
    const program = currentProgram(`${folder}/${name}`);
    if (program !== undefined) return program;
  }
  return undefined;
}

function currentProgram(folder) {
  try {
    const { program, sources } = JSON.parse(readFileSync(`${folder}/bundle.json`, "utf8"));
    return sources.every(isUnchanged) ? `${folder}/${program}` : undefined;
  } catch {
    return undefined; // There is none, or a source is gone.
  }
}

function isUnchanged([file, size, changed]) {
  const stats = statSync(`${ROOT}/${file}`);
  return stats.size === size && stats.mtimeMs === changed;
}

/**
 * Runs a command from its script, with the machine code of an earlier run. Node's compile cache does that for all
 * modules, but costs a short command a sixth of the time an empty program takes; here it is one more file that is read.
 * It is kept beside the script, inside the package, where only those can write who could change the program itself.
 * The script is named by its content, so that code of another one is never taken for its own; it may require what
 * belongs to Node.
 */
function runScript(file, command, kept = readKept(file, command)) {
  const script = new vm.Script(readFileSync(file, "utf8"), {
    filename: file,
    cachedData: kept,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const program = { exports: {} };
  script.runInThisContext()(program, program.exports, require, file);
  if (kept !== undefined && !script.cachedDataRejected) return;
  // At the end, when everything the command uses has been compiled.
  process.once("exit", (code) => {
    if (code === 0) keep(placeOfKept(file, command), script.createCachedData());
  });
}

/**
 * Runs the command at once where this very Node ran it before, and tells whether it did. Nothing else needs to be looked
 * at then: code is kept only by a Node that is new enough.
 */
function runAgain(command) {
  const file = findQuickCommand(command);
  const kept = file === undefined || !file.endsWith(".cjs") ? undefined : readKept(file, command);
  if (kept === undefined) return false;
  delete process.env.AGENT_WORKER_RESTARTED;
  runScript(file, command, kept);
  return true;
}

function placeOfKept(file, command) {
  return `${file}.${command}-${process.version}-${process.arch}`;
}

function readKept(file, command) {
  try {
    return readFileSync(placeOfKept(file, command));
  } catch {
    return undefined;
  }
}

function keep(place, code) {
  const draft = `${place}.${process.pid}`;
  try {
    writeFileSync(draft, code);
    renameSync(draft, place);
  } catch {
    // The package may be read-only: the command only starts more slowly.
  }
}

module.exports = { BUNDLES, findQuickCommand, runAgain, runScript };
