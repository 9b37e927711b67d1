import { spawn } from "node:child_process";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";

/** Opens a file in an editor. Returns the exit code of the editor, or the signal that ended it. */
export async function openEditor(terminal: Terminal, file: string): Promise<number | string> {
  const editor = [terminal.env["VISUAL"], terminal.env["EDITOR"]].find((each) => each !== undefined && each !== "");
  if (editor === undefined && !terminal.interactive) {
    throw new Refused({
      code: "invalid",
      message: "There is no editor, and nobody is here to use one.",
      hint: "Set VISUAL or EDITOR.",
    });
  }
  // Through a shell, because the variable may hold arguments: `code --wait`.
  const child = spawn("/bin/sh", ["-c", `${editor ?? "vi"} "$1"`, "editor", file], {
    stdio: ["inherit", 2, "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}
