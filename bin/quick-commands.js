"use strict";

// Commands people type all day. They are also kept as one file, because finding and linking some forty modules takes
// longer than all they do. `scripts/bundle-commands.ts` makes it; a file that does not match its sources is not used.
const { readFileSync, statSync } = require("fs");
const path = require("path");

const QUICK_COMMANDS = ["ls", "send", "peek", "inbox"];
const ROOT = path.join(__dirname, "..");
const BUNDLES = [
  path.join(ROOT, "node_modules/.cache/agent-worker/commands/main.mjs"),
  path.join(ROOT, "dist/commands/main.mjs"),
];

/** The file that can run the command instead of the sources, or undefined. */
function findQuickCommand(command) {
  if (!QUICK_COMMANDS.includes(command)) return undefined;
  return BUNDLES.find(isCurrent);
}

function isCurrent(bundle) {
  try {
    const sources = JSON.parse(readFileSync(path.join(path.dirname(bundle), "sources.json"), "utf8"));
    return sources.every(([file, size, changed]) => {
      const stats = statSync(path.join(ROOT, file));
      return stats.size === size && stats.mtimeMs === changed;
    });
  } catch {
    return false; // There is none, or a source is gone.
  }
}

module.exports = { QUICK_COMMANDS, findQuickCommand };
