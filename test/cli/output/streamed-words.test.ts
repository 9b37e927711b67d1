import { describe, expect, it } from "vitest";
import { paintFor } from "../../../src/cli/output/paint.ts";
import { streamWords } from "../../../src/cli/output/streamed-words.ts";

const layout = { paint: paintFor({ colours: false }), nameWidth: 5, columns: 37 };

function stream() {
  let shown = "";
  const print = (text: string): void => void (shown += text);
  return { words: streamWords({ print }), print, shown: () => shown };
}

describe("words as they come", () => {
  it("[trouble.stream] are laid out like whole messages, wherever they are cut", () => {
    const { words, shown } = stream();
    const text = "\nOne two three four five six seven eight.\n\n  - indented\nlast";
    for (const piece of text.match(/[^]{1,3}/g) ?? []) words.add(layout, "alice", piece);
    expect(words.end("alice", text)).toBe(true);
    expect(shown()).toMatch(/^alice {2}One two three/);
    expect(shown().endsWith("\n\n         - indented\n       last\n")).toBe(true);
    for (const line of shown().split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  it("[trouble.stream] of two agents are told apart, and go on with the name after something else was printed", () => {
    const { words, print, shown } = stream();
    words.add(layout, "alice", "One ");
    words.add(layout, "bob", "Two ");
    words.add(layout, "alice", "three");
    words.pauseForStatus();
    words.add(layout, "alice", " four");
    words.pause();
    print("something else\n");
    words.add(layout, "alice", " five");
    expect(words.end("alice", "One three four five")).toBe(true);
    expect(words.end("bob", "Two and more")).toBe(false);
    expect(shown()).toBe("alice  One\nbob    Two\nalice  three\n       four\nsomething else\nalice  five\n");
  });
});
