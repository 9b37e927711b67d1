import { enclosingProject } from "../files/project/find-project.ts";

/** Whether the command without a word opens the chat on this terminal: in a project. Elsewhere it prints the overview. */
export function opensChat(): boolean {
  if (process.env["TERM"] === "dumb") return false;
  try {
    return enclosingProject(process.cwd(), process.env["HOME"]) !== undefined;
  } catch {
    return false;
  }
}
