/**
 * Writes `docs/reference/` from the tables that the program itself uses: its commands, its routes, the tools of agents.
 * A test compares the files with the tables, so that they cannot be out of date.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandReference } from "./reference/commands.ts";
import { routeReference } from "./reference/routes.ts";
import { toolReference } from "./reference/tools.ts";
import { projectRoot } from "./run-command.ts";

/** Returns the text of each page by its path in the repository. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    "docs/reference/commands.md": await commandReference(),
    "docs/reference/routes.md": routeReference(),
    "docs/reference/tools.md": toolReference(),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await referencePages())) {
    mkdirSync(dirname(join(projectRoot, path)), { recursive: true });
    writeFileSync(join(projectRoot, path), text);
  }
}
