/** Text of any size of which only so many characters are kept, from its start and from its end. */
export interface BoundedOutput {
  add(text: string): void;
  head(): string;
  /** What follows the head, or the last of it when something was left out between the two. */
  tail(): string;
  /** How many characters are in neither. */
  leftOut(): number;
}

export function createBoundedOutput(limits: { readonly start?: number; readonly end?: number }): BoundedOutput {
  const { start = 0, end = 0 } = limits;
  let head = "";
  let tail = "";
  let dropped = 0;
  const leftOut = (): number => dropped + Math.max(0, tail.length - end);
  // A cut may go through the middle of a character.
  const whole = (part: string): string => (leftOut() > 0 ? part.toWellFormed() : part);
  return {
    add: (text) => {
      const room = start - head.length;
      if (room > 0) head += text.slice(0, room);
      tail += text.slice(Math.max(0, room));
      // Cut only now and then: cutting at each of many small pieces would cost the square of their number.
      if (tail.length > 2 * end) {
        dropped = leftOut();
        tail = tail.slice(Math.max(0, tail.length - end));
      }
    },
    head: () => whole(head),
    tail: () => whole(tail.slice(Math.max(0, tail.length - end))),
    leftOut,
  };
}
