"use strict";

// Commands people type all day, and the daemon they wait for, are also kept as a few files: finding and linking a
// module takes longer than most of what it does. `scripts/bundle-commands.ts` makes them; what does not match its
// sources any more is not used.
const { readFileSync, statSync } = require("fs");
const path = require("path");

/** By the folder of the bundle. */
const BUNDLES = { commands: ["ls", "send", "peek", "inbox"], daemon: ["daemon", "status"] };
const ROOT = path.join(__dirname, "..");
const FOLDERS = [path.join(ROOT, "node_modules/.cache/agent-worker"), path.join(ROOT, "dist/bundles")];

/** The file that can run the command instead of the sources, or undefined. */
function findQuickCommand(command) {
  const name = Object.keys(BUNDLES).find((each) => BUNDLES[each].includes(command));
  if (name === undefined) return undefined;
  const folder = FOLDERS.map((each) => path.join(each, name)).find(isCurrent);
  return folder === undefined ? undefined : path.join(folder, "main.mjs");
}

function isCurrent(folder) {
  try {
    const sources = JSON.parse(readFileSync(path.join(folder, "sources.json"), "utf8"));
    return sources.every(([file, size, changed]) => {
      const stats = statSync(path.join(ROOT, file));
      return stats.size === size && stats.mtimeMs === changed;
    });
  } catch {
    return false; // There is none, or a source is gone.
  }
}

module.exports = { BUNDLES, findQuickCommand };
