import { linesMeant } from "../../domain/text/shortened-args.ts";
import { line, span, type Line } from "../screen/span.ts";
import { callShape, type CallShape } from "./call-shape.ts";
import type { DiffLine } from "./line-diff.ts";

/** Returns a tool call as lines: a command as a command, a change as a difference, everything else by its fields. */
export function callLines(tool: string, args: unknown): Line[] {
  const shape = callShape(args);
  return [line(span(tool, "bold"), titleOf(shape)), ...bodyOf(shape)];
}

/** The same in one line, for a call that is folded. */
export function callSummary(args: unknown): string {
  const shape = callShape(args);
  switch (shape.kind) {
    case "command":
      return `$ ${shape.command}`;
    case "change":
      return `${shape.file} ${changeCount(shape.lines)}`;
    case "fields":
      return shape.fields.map(([name, text]) => `${name}: ${text.replace(/\s+/g, " ").trim()}`).join(", ");
    case "text":
      return shape.text;
  }
}

/** How many lines a change adds and removes. Everything that counts lines of a change counts them here. */
export function changedLines(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  const count = (wanted: DiffLine["sign"]): number =>
    lines.reduce((sum, { sign, text }) => (sign === wanted ? sum + linesMeant(text) : sum), 0);
  return { added: count("+"), removed: count("-") };
}

/** `+3 -1`. */
function changeCount(lines: readonly DiffLine[]): string {
  const { added, removed } = changedLines(lines);
  return `+${added} -${removed}`;
}

function titleOf(shape: CallShape): string {
  if (shape.kind === "change") return ` ${shape.file} ${changeCount(shape.lines)}`;
  return shape.kind === "command" && shape.about !== undefined ? ` ${shape.about}` : "";
}

function bodyOf(shape: CallShape): Line[] {
  switch (shape.kind) {
    case "command":
      return shape.command.split("\n").map((each, at) => line(span(at === 0 ? "$ " : "  ", "dim"), span(each, "code")));
    case "change":
      return diffLines(shape.lines);
    case "fields":
      return shape.fields.flatMap(([name, text]) => {
        const [first = "", ...rest] = text.split("\n");
        return [line(span(`${name}: `, "dim"), first), ...rest.map((each) => line(`  ${each}`))];
      });
    case "text":
      return shape.text.split("\n").map((each) => line(each));
  }
}

export function diffLines(lines: readonly DiffLine[]): Line[] {
  const style = { "+": "good", "-": "bad", " ": "dim" } as const;
  return lines.map(({ sign, text }) => line(span(`${sign} ${text}`, style[sign])));
}
