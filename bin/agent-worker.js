#!/usr/bin/env node
"use strict";

// Starts the program on a Node that can run it. The `.js` files in `bin/` are CommonJS in the syntax of Node 12: an old
// Node prints what it lacks instead of a syntax error.
const path = require("path");
const { isNewEnough } = require("./choose-node.js");

if (isNewEnough(process.versions.node)) start(process.argv[2]);
else {
  const { runOnBundledNode } = require("./run-on-bundled-node.js");
  runOnBundledNode(__filename);
}

function start(command) {
  delete process.env.AGENT_WORKER_RESTARTED;
  silenceExpectedWarnings();
  const { findQuickCommand, runScript } = require("./quick/quick-commands.js");
  // Alone on a terminal, it is the chat, or the overview where there is no project.
  const name = command === undefined && require("tty").isatty(0) && require("tty").isatty(1) ? "chat" : command;
  const quick = findQuickCommand(name);
  if (quick !== undefined && quick.endsWith(".cjs")) runScript(quick, name);
  else importWithCompileCache(quick === undefined ? wholeProgram() : quick);
}

/** Returns the sources in the repository, even if a build exists, and the build in a package, which has no sources. */
function wholeProgram() {
  const source = path.join(__dirname, "../src/cli/main.ts");
  return require("fs").existsSync(source) ? source : path.join(__dirname, "../dist/cli/main.js");
}

/** Caches compiled code, because stripping types takes longer than starting Node. In a read-only package nothing is cached. */
function importWithCompileCache(file) {
  const folder = path.join(__dirname, "../node_modules/.cache/agent-worker/compiled");
  if (isOwnFolder(folder)) require("module").enableCompileCache(folder);
  void import(require("url").pathToFileURL(file).href);
}

/**
 * Makes the folder of compiled code, for this user only. Node runs whatever is in it: a folder that others could have
 * written to is removed with its content, and one that belongs to somebody else is not used.
 */
function isOwnFolder(folder) {
  const fs = require("fs");
  const { isOwn } = require("./quick/quick-commands.js");
  const isSafe = (each) => {
    const stats = fs.lstatSync(each);
    return stats.isDirectory() && isOwn(stats);
  };
  try {
    if (fs.existsSync(folder) && !isSafe(folder)) fs.rmSync(folder, { recursive: true });
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isSafe(path.dirname(folder)) && isSafe(folder);
  } catch {
    return false;
  }
}

/** Hides the warnings of some Nodes that type stripping and SQLite are experimental. */
function silenceExpectedWarnings() {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = function emitWarning(warning, type, ...rest) {
    const kind = type !== null && typeof type === "object" ? type.type : type;
    if (kind === "ExperimentalWarning" && /^(SQLite|Type Stripping|stripTypeScriptTypes) /.test(String(warning)))
      return;
    emit(warning, type, ...rest);
  };
}
