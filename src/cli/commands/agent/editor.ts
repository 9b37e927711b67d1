import { spawn } from "node:child_process";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";

/** Lets a person edit a file, and answers with what the editor ended: its exit code, or the signal that ended it. */
export async function openEditor(terminal: Terminal, file: string): Promise<number | string> {
  const chosen = [terminal.env["VISUAL"], terminal.env["EDITOR"]].find((each) => each !== undefined && each !== "");
  if (chosen === undefined && !terminal.interactive) {
    throw new Refused({
      code: "invalid",
      message: "There is no editor, and nobody is here to use one.",
      hint: "Set VISUAL or EDITOR.",
    });
  }
  // As a line of the shell, because editors are often given with arguments: `code --wait`.
  const child = spawn("/bin/sh", ["-c", `${chosen ?? "vi"} "$1"`, "editor", file], {
    stdio: ["inherit", 2, "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}
