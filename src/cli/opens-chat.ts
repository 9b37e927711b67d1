import { enclosingProject } from "../files/project/find-project.ts";

/** Whether the command without a word opens the chat: on a terminal, in a project. Elsewhere it prints the overview. */
export function opensChat(): boolean {
  const { isatty } = process.getBuiltinModule("node:tty");
  if (!isatty(0) || !isatty(1) || process.env["TERM"] === "dumb") return false;
  try {
    return enclosingProject(process.cwd(), process.env["HOME"]) !== undefined;
  } catch {
    return false;
  }
}
