import type { Paint } from "../../output/paint.ts";

/** Returns a page of the documentation for a terminal: headings stand out, code is indented, links are words. */
export function guideText(markdown: string, paint: Paint): string {
  let inCode = false;
  const lines = markdown
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("```")) {
        inCode = !inCode;
        return [];
      }
      if (inCode) return [`    ${paint.good(line)}`];
      const [, heading] = /^#{1,6} (.+)$/.exec(line) ?? [];
      if (heading !== undefined) return [paint.bold(plain(heading, paint))];
      if (/^\|[-| :]+\|$/.test(line) || line.startsWith("![")) return [];
      return [plain(line, paint)];
    });
  return `${lines.join("\n")}\n`;
}

/** A link to another page is its words; one to the web also shows its address. */
function plain(line: string, paint: Paint): string {
  return line
    .replace(/\[([^\]]+)\]\((https?:[^)]+)\)/g, "$1 ($2)")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, (_, text: string) => paint.bold(text))
    .replace(/`([^`]+)`/g, (_, text: string) => paint.good(text));
}
