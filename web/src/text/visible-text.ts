/**
 * Characters that hide text, reorder it or control a terminal. They are escaped in text from agents and files. Line ends,
 * tabs and the joiners of scripts and emoji stay.
 */
const DECEPTIVE =
  /(?![\t\n])[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export function visibleText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(DECEPTIVE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
