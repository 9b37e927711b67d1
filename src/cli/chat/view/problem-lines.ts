import { cutLine, line, span, type Line } from "../../screen/span.ts";

const MOST = 3;
const SEE_ALL = "See every mistake with: agent-worker check";

/** The mistakes in files of the project, a row each: who is defined there cannot be reached. */
export function problemLines(problems: readonly string[], columns: number): Line[] {
  if (problems.length === 0) return [];
  const texts = [...problems.slice(0, MOST), SEE_ALL];
  return texts.map((text) => cutLine(line(span(text, text === SEE_ALL ? "dim" : "bad")), columns));
}

/** What a project without anybody says. */
export function nobodyText(problems: readonly string[]): string {
  return problems.length > 0
    ? `No file of this project can be used. ${SEE_ALL}`
    : "There are no agents here yet. Make a team with: agent-worker init";
}
