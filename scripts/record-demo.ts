/**
 * Runs the demo and draws its output as a terminal: `node scripts/record-demo.ts` writes `docs/demo.svg`. A test
 * compares that file with a new run.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { demo } from "../src/cli/commands/project/demo.ts";
import { openInvocation } from "../src/cli/open-invocation.ts";
import { terminalText } from "../src/cli/output/visible-text.ts";
import { projectRoot } from "./run-command.ts";
import { terminalPicture } from "./terminal-picture.ts";

const COLUMNS = 124;

export async function recordDemo(): Promise<string> {
  let text = "";
  const print = (written: string): void => void (text += terminalText(written));
  const exit = await demo.run(
    openInvocation(demo, [], {
      env: { PATH: process.env["PATH"] },
      cwd: projectRoot,
      colours: true,
      columns: COLUMNS,
      interactive: false,
      progress: () => {},
      status: () => {},
      print,
      printContent: print,
      note: print,
      hint: (hint) => hint,
      stdin: async () => "",
      confirm: async () => false,
    }),
  );
  if (exit !== 0) throw new Error(`the demo ended with ${exit}:\n${text}`);
  return terminalPicture({
    title: "$ npx agent-worker demo",
    description: "Three agents review a change: they find a bug, vote, fix it and keep the notes.",
    columns: COLUMNS,
    text,
  });
}

if (import.meta.main) writeFileSync(join(projectRoot, "docs/demo.svg"), await recordDemo());
