"use strict";

// Which Node may run the program, and where to look for one.
const { existsSync, readFileSync } = require("fs");
const path = require("path");

/** The oldest Node whose SQLite has no known defects. A test compares it with `engines.node` in package.json. */
const oldestNode = "24.15";

function isNewEnough(version) {
  const found = majorAndMinor(version);
  const needed = majorAndMinor(oldestNode);
  return found.major > needed.major || (found.major === needed.major && found.minor >= needed.minor);
}

/**
 * Returns the Node that `npm ci` installed: the binary in the nearest `node_modules/node` at or above `folder` that is
 * new enough, or undefined. The version of the package is the version of the binary.
 */
function findBundledNode(folder) {
  const home = path.join(folder, "node_modules", "node");
  const binary = ["node", "node.exe"].map((name) => path.join(home, "bin", name)).find((file) => existsSync(file));
  if (binary !== undefined && isNewEnough(packageVersion(home))) return binary;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : findBundledNode(parent);
}

function packageVersion(home) {
  try {
    return String(JSON.parse(readFileSync(path.join(home, "package.json"), "utf8")).version);
  } catch {
    return "unknown";
  }
}

/** A text that is not a version counts as 0.0. */
function majorAndMinor(version) {
  const [major, minor] = version.split(".").map(Number);
  return { major: major || 0, minor: minor || 0 };
}

module.exports = { findBundledNode, isNewEnough, oldestNode };
