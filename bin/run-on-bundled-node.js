"use strict";

// Runs the launcher again on a Node that is new enough, as if the user had started that one: same arguments, same
// terminal, signals passed down, exit code or fatal signal passed up.
const { spawn } = require("child_process");
const { constants } = require("os");
const path = require("path");
const { isatty } = require("tty");
const { findBundledNode, oldestNode } = require("./choose-node.js");

/** `AGENT_WORKER_RESTARTED` marks the second start: a bundled Node that is older than it claims must not start a third. */
function runOnBundledNode(launcher) {
  const packageFolder = path.dirname(path.dirname(launcher));
  const node = "AGENT_WORKER_RESTARTED" in process.env ? undefined : findBundledNode(packageFolder);
  if (node === undefined) {
    refuse(packageFolder, `this is Node ${process.versions.node}`);
    return;
  }
  const child = spawn(node, [launcher].concat(process.argv.slice(2)), {
    stdio: "inherit",
    env: Object.assign({}, process.env, { AGENT_WORKER_RESTARTED: "1" }),
  });

  // A terminal sends Ctrl-C to the child as well: passing it on would make one press count as two.
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const passOn = (signal) => {
    if (signal !== "SIGINT" || !atTerminal) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  signals.forEach((signal) => process.on(signal, passOn));

  child.on("error", (error) => {
    refuse(packageFolder, `this is Node ${process.versions.node}, and ${node} does not start (${error.code})`);
  });
  child.on("exit", (code, signal) => {
    signals.forEach((name) => process.removeListener(name, passOn));
    process.exitCode = signal === null ? code : 128 + constants.signals[signal];
    if (signal !== null) process.kill(process.pid, signal);
  });
}

/** The second line is a command that does the same on a Node that npm brings, and can be typed as it is. */
function refuse(packageFolder, found) {
  const isInstalled = packageFolder.split(path.sep).indexOf("node_modules") !== -1;
  // A package that `npx` brought is found by its name again; its folder may be gone by then.
  const isCached = packageFolder.split(path.sep).indexOf("_npx") !== -1;
  const launcher = path.join(packageFolder, "bin", "agent-worker.js");
  const program = isCached ? ["-p", "agent-worker", "agent-worker"] : ["node", launcher];
  const command = ["npx", "-y", "-p", "node@24"].concat(program, process.argv.slice(2)).map(quoted).join(" ");
  const remedy = isInstalled ? "" : " `npm ci` brings one.";
  process.stderr.write(
    `agent-worker needs Node ${oldestNode} or newer; ${found}.${remedy} Get it from https://nodejs.org, or type:\n  ${command}\n`,
  );
  process.exitCode = 2;
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

module.exports = { runOnBundledNode };
