import { describe, expect, it } from "vitest";
import { parseArguments } from "../../../src/cli/arguments/parse-arguments.ts";
import { UsageError } from "../../../src/cli/arguments/usage-error.ts";

const SEND = {
  words: ["TARGET", "[MESSAGE]"],
  options: {
    to: { value: "TARGET", short: "t", about: "" },
    wait: { short: "w", about: "" },
    tag: { value: "TAG", many: true, about: "" },
  },
} as const;

describe("the arguments of a command", () => {
  it.each([
    { args: ["a"], words: ["a"], options: {} },
    { args: ["a", "b c"], words: ["a", "b c"], options: {} },
    { args: ["a", "-"], words: ["a", "-"], options: {} },
    { args: ["--to", "x", "a"], words: ["a"], options: { to: "x" } },
    { args: ["a", "--to=x=y"], words: ["a"], options: { to: "x=y" } },
    { args: ["a", "--to", "-5"], words: ["a"], options: { to: "-5" } },
    { args: ["a", "--to="], words: ["a"], options: { to: "" } },
    { args: ["a", "-tx", "-w"], words: ["a"], options: { to: "x", wait: true } },
    { args: ["a", "-t", "x"], words: ["a"], options: { to: "x" } },
    { args: ["a", "--tag", "1", "--tag=2"], words: ["a"], options: { tag: ["1", "2"] } },
    { args: ["a", "--", "--wait"], words: ["a", "--wait"], options: {} },
    { args: ["--json", "--project", "/p", "a"], words: ["a"], options: { json: true, project: "/p" } },
  ])("are read: $args", ({ args, words, options }) => {
    const nothing = { to: undefined, wait: false, tag: [], json: false, project: undefined, trust: false, help: false };
    expect(parseArguments(args, SEND)).toEqual({ words, options: { ...nothing, ...options }, rest: [] });
  });

  it("after -- are the command's to read, where it takes such", () => {
    expect(parseArguments(["a", "--", "--x", "y=1"], { ...SEND, rest: "name=value" })).toMatchObject({
      words: ["a"],
      rest: ["--x", "y=1"],
    });
  });

  it("that are any number of words", () => {
    const words = ["NAME", "[TEXT...]"];
    expect(parseArguments(["a", "b", "c"], { words }).words).toEqual(["a", "b", "c"]);
    expect(parseArguments(["a"], { words }).words).toEqual(["a"]);
  });

  it.each([
    { args: [], says: "TARGET is missing." },
    { args: ["a", "b", "c"], says: '"c" is one word too many.', hint: "Quote a text of several words." },
    { args: ["a", "--wiat"], says: "There is no option --wiat.", meant: "--wiat" },
    { args: ["a", "-x"], says: "There is no option -x.", meant: "-x" },
    { args: ["a", "--__proto__"], says: "There is no option --__proto__.", meant: "--__proto__" },
    { args: ["a", "--constructor"], says: "There is no option --constructor.", meant: "--constructor" },
    { args: ["a", "--to"], says: "--to needs a value: --to TARGET." },
    { args: ["a", "-t"], says: "-t needs a value: -t TARGET." },
    { args: ["a", "--wait=yes"], says: "--wait takes no value." },
    { args: ["a", "--to", "x", "--to", "y"], says: "--to is given twice.", hint: "Give it once." },
  ])("[cli.errors] that are wrong are named: $args", ({ args, says, hint, meant }) => {
    let thrown: unknown;
    try {
      parseArguments(args, SEND);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UsageError);
    expect(thrown).toMatchObject({ message: says });
    if (hint !== undefined) expect(thrown).toMatchObject({ hint });
    if (meant !== undefined) {
      expect(thrown).toMatchObject({
        meant: { given: meant, among: expect.arrayContaining(["--to", "-t", "--json"]) },
      });
    }
  });
});
