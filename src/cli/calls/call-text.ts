import { callLines } from "./call-lines.ts";
import type { Paint } from "../output/paint.ts";
import { paintLine } from "./paint-line.ts";

/** A whole tool call as ordinary output: a command as a command, a change as a diff. */
export function callText(paint: Paint, tool: string, args: string, indent = "  "): string {
  return callLines(tool, args)
    .map((line) => `${indent}${paintLine(paint, line)}\n`)
    .join("");
}
