import { visibleText } from "./visible-text.ts";

/** Returns the name of a project's folder. */
export function projectName(dir: string): string {
  return visibleText(dir.split(/[\\/]/).findLast((part) => part !== "") ?? dir);
}
