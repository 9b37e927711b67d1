"use strict";

// Gets the program onto a Node that can run it.
const { existsSync } = require("fs");
const nodeModule = require("module");
const path = require("path");
const { pathToFileURL } = require("url");
const { isNewEnough } = require("./choose-node.js");
const { findQuickCommand, runScript } = require("./quick-commands.js");

if (isNewEnough(process.versions.node)) {
  delete process.env.AGENT_WORKER_RESTARTED;
  silenceExpectedWarnings();
  const quick = findQuickCommand(process.argv[2]);
  if (quick !== undefined && quick.endsWith(".cjs")) runScript(quick, process.argv[2]);
  else {
    keepCompiledCode();
    void import(pathToFileURL(quick === undefined ? wholeProgram() : quick).href);
  }
} else {
  const { runOnBundledNode } = require("./run-on-bundled-node.js");
  runOnBundledNode(path.join(__dirname, "agent-worker.js"));
}

/** A package has only what was built; in the repository the sources count, whatever was built from them before. */
function wholeProgram() {
  const source = path.join(__dirname, "../src/cli/main.ts");
  return existsSync(source) ? source : path.join(__dirname, "../dist/cli/main.js");
}

/** The program stands on type stripping and SQLite; that some Nodes call them experimental is no user's concern. */
function silenceExpectedWarnings() {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = function emitWarning(warning, type, ...rest) {
    const kind = type !== null && typeof type === "object" ? type.type : type;
    if (kind === "ExperimentalWarning" && /^(SQLite|Type Stripping) /.test(String(warning))) return;
    emit(warning, type, ...rest);
  };
}

/**
 * Stripping types takes longer than starting Node, so what was compiled is kept. It is kept inside the package, where
 * only those can write who could change the program itself; code from a folder under the shared /tmp would not be
 * safe to run. Where the package is read-only, Node goes on without.
 */
function keepCompiledCode() {
  nodeModule.enableCompileCache(path.join(__dirname, "../node_modules/.cache/agent-worker"));
}
