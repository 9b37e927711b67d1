/** Names of files are not longer on any usual file system. */
const MAX_NAME = 255;
const PART = /(\*+|\?|\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\])/;

/**
 * Returns whether a pattern of a shell (`*`, `?`, `[…]`) may mean this name of a file. Brackets stand for any letter. An
 * agent chooses the pattern, so the time does not grow faster than its length.
 */
export function mayMatchName(pattern: string, name: string): boolean {
  const parts = pattern.split(PART).flatMap((part) => {
    if (part.startsWith("*")) return ["*"];
    return part === "?" || (part.startsWith("[") && PART.test(part)) ? ["?"] : [...part].map((letter) => `=${letter}`);
  });
  if (parts.filter((part) => part !== "*").length > MAX_NAME) return false;
  const letters = [...name];
  let at = 0;
  let part = 0;
  let star = -1;
  let afterStar = 0;
  while (at < letters.length) {
    if (parts[part] === "*") {
      star = part;
      afterStar = at;
      part += 1;
    } else if (parts[part] === "?" || parts[part] === `=${letters[at]}`) {
      at += 1;
      part += 1;
    } else if (star === -1) {
      return false;
    } else {
      afterStar += 1;
      at = afterStar;
      part = star + 1;
    }
  }
  return parts.slice(part).every((rest) => rest === "*");
}

/** Whether a shell would look for files that the word matches. */
export function isShellPattern(word: string): boolean {
  return /[*?[]/.test(word);
}
