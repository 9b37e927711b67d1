/**
 * Output of any size of which only the first and the last characters are stored: a command that prints without end must
 * fill neither the memory nor the model's context, and what matters is mostly at one of the two ends.
 */
export interface BoundedOutput {
  add(text: string): void;
  head(): string;
  /** The text after the head; only its end when characters in between were dropped. */
  tail(): string;
  /** Number of characters that are in neither. */
  leftOut(): number;
  /** Head and tail, with a note in between when characters were dropped. */
  text(): string;
}

/** `start` and `end`: characters stored of the beginning and of the end. */
export function createBoundedOutput(limits: { readonly start?: number; readonly end?: number }): BoundedOutput {
  const { start = 0, end = 0 } = limits;
  let head = "";
  let tail = "";
  let dropped = 0;
  const leftOut = (): number => dropped + Math.max(0, tail.length - end);
  // A cut may go through the middle of a character.
  const whole = (part: string): string => (leftOut() > 0 ? part.toWellFormed() : part);
  const lastOf = (text: string): string => text.slice(Math.max(0, text.length - end));
  return {
    add: (text) => {
      const room = start - head.length;
      if (room > 0) head += text.slice(0, room);
      tail += text.slice(Math.max(0, room));
      // Not after each piece: with many small pieces the cost would be quadratic.
      if (tail.length > 2 * end) {
        dropped = leftOut();
        tail = lastOf(tail);
      }
    },
    head: () => whole(head),
    tail: () => whole(lastOf(tail)),
    leftOut,
    text: () => {
      const left = leftOut();
      const note = left === 0 ? "" : `\n[... ${left} characters left out ...]\n`;
      return whole(head) + note + whole(lastOf(tail));
    },
  };
}

/** Returns the text, or its beginning and end with a note in between if it is longer than `limit`. */
export function boundText(text: string, limit: number): string {
  const half = Math.floor(limit / 2);
  const bounded = createBoundedOutput({ start: half, end: half });
  bounded.add(text);
  return bounded.text();
}
