import { describe, expect, it } from "vitest";
import { formatNote, parseNote } from "../../../src/files/personal/note-file.ts";

const origin = { by: "alice", run: "run_1", space: "@review:main", heard: ["user", "bob"], outside: true };

describe("the top of a note", () => {
  it("[provenance.notes] says who wrote it and after reading what, and is no part of its text", () => {
    const file = formatNote("# Title\n\ntext\n", { source: "alice", origin });
    expect(parseNote(file)).toEqual({ content: "# Title\n\ntext\n", source: "alice", origin, outside: true });
    const trusted = formatNote("text\n", { source: "alice", origin: { ...origin, outside: false } });
    expect(parseNote(trusted)).toMatchObject({ content: "text\n", outside: false });
    expect(parseNote(formatNote("text\n", { source: "user" }))).toMatchObject({ content: "text\n", outside: false });
  });

  it("[provenance.notes] survives the edit of a person, with other line ends and a comment", () => {
    const file = formatNote("text\n", { source: "alice", origin });
    const edited = file.replace("source: alice", "source: alice # from the page").replaceAll("\n", "\r\n");
    expect(parseNote(`\uFEFF${edited}more`)).toMatchObject({ source: "alice", outside: true, content: "text\r\nmore" });
  });

  it.each([
    ["nothing", "text\n"],
    ["a block of another program", "---\ntags: [a]\n---\ntext\n"],
    ["a block that is no YAML", "---\nsource: [\n---\ntext\n"],
    ["an agent, but not what it had read", "---\nsource: alice\n---\ntext\n"],
    ["aliases", "---\nsource: &a user\nother: *a\n---\ntext\n"],
    ["a block that never ends", "---\nsource: user\ntext\n"],
  ])("a note whose top says %s is untrusted content", (_what, file) => {
    expect(parseNote(file).outside).toBe(true);
  });
});
