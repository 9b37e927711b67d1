/**
 * Output of any size, of which the beginning and the end are kept: a command that prints without end must neither fill
 * the memory nor the model's context, and what matters of it is at one of the two ends.
 */
export interface BoundedText {
  add(text: string): void;
  text(): string;
}

export function createBoundedText(limit: number): BoundedText {
  const half = Math.floor(limit / 2);
  let head = "";
  let tail = "";
  let dropped = 0;
  return {
    add: (text) => {
      const room = half - head.length;
      head += text.slice(0, Math.max(0, room));
      tail += text.slice(Math.max(0, room));
      // Cut only now and then: cutting at each of many small pieces would cost the square of their number.
      if (tail.length > 2 * half) {
        dropped += tail.length - half;
        tail = tail.slice(-half);
      }
    },
    text: () => {
      const left = dropped + Math.max(0, tail.length - half);
      if (left === 0) return head + tail;
      return `${head.toWellFormed()}\n[... ${left} characters left out ...]\n${tail.slice(-half).toWellFormed()}`;
    },
  };
}

export function boundText(text: string, limit: number): string {
  const bounded = createBoundedText(limit);
  bounded.add(text);
  return bounded.text();
}
