import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMentions } from "../../../src/domain/message/mentions.ts";
import { interpolate } from "../../../src/domain/workflow/interpolate.ts";
import { checkPlaceholders } from "../../../src/domain/workflow/placeholder.ts";
import { buildScope, scopeNames, type Scope } from "../../../src/domain/workflow/scope.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

const scope = buildScope({
  workflow: "review",
  tag: "pr-1",
  projectDir: "/srv/app",
  context: { channel: "/srv/app/channel.md", document: "/srv/app/notes.md" },
  params: { base: "main" },
  env: { HOME: "/home/me", UNSET: undefined },
  outputs: { changes: "+ @alice ${{ params.base }} $& $1", "pr-info": "{}", empty: "" },
});

const textOf = (template: string): string => value(interpolate(template, scope)).text;

describe("interpolate", () => {
  it.each([
    ["[interpolation.setup-output]", "Review ${{ changes }}!", "Review + @alice ${{ params.base }} $& $1!"],
    ["[interpolation.setup-output]", "${{pr-info}}${{  empty  }}", "{}"],
    ["[interpolation.env]", "${{ env.HOME }}", "/home/me"],
    ["[interpolation.params]", "diff ${{ params.base }}...HEAD", "diff main...HEAD"],
    ["[interpolation.workflow]", "${{ workflow.name }}:${{ workflow.tag }}", "review:pr-1"],
    ["[interpolation.workflow]", "${{ workflow.instance }} ${{ instance }}", "pr-1 pr-1"],
    [
      "[interpolation.context]",
      "${{ context.channel }} ${{ context.document }}",
      "/srv/app/channel.md /srv/app/notes.md",
    ],
    ["[interpolation.context]", "${{ project.dir }}", "/srv/app"],
    ["escape", "write $${{ name }}", "write ${{ name }}"],
    ["escape", "$${{ $${{ ${{ params.base }}", "${{ ${{ main"],
    ["nothing to do", "$ {{ x }} ${x} $(x) }} {{", "$ {{ x }} ${x} $(x) }} {{"],
    ["empty", "", ""],
  ])("%s %j", (_, template, expected) => {
    expect(textOf(template)).toBe(expected);
  });

  it("inserts a value as it is and never looks at it again [interpolation.once]", () => {
    const hostile: Scope = new Map([
      ["a", "${{ b }}"],
      ["b", "${{ a }} $${{ a }}"],
    ]);
    expect(value(interpolate("${{ a }}|${{ b }}", hostile)).text).toBe("${{ b }}|${{ a }} $${{ a }}");
    const split: Scope = new Map([["a", "$"]]);
    expect(value(interpolate("${{ a }}{{ a }}", split)).text).toBe("${{ a }}");
  });

  it("marks what came from outside as data, and nothing else [interpolation.data]", () => {
    const { text, inert } = value(interpolate("@bob see ${{ changes }}${{ empty }} @carol ${{ params.base }}", scope));
    expect(inert.map(({ start, end }) => text.slice(start, end))).toEqual([scope.get("changes"), "main"]);
    expect(findMentions(text, { inert }).map(({ name }) => name)).toEqual(["bob", "carol"]);
  });

  it("refuses an unknown name with what exists and what was meant [interpolation.unknown]", () => {
    const refusal = refused(interpolate("one\ntwo ${{ chagnes }}", scope));
    expect(refusal.message).toBe("${{ chagnes }} is not defined.");
    expect(refusal.hint).toMatch(/^Did you mean "changes"\? Known names: workflow\.name, .*params\.base.*env\.NAME\.$/);
    expect(refusal.hint).not.toContain("HOME");
    expect(refusal.details).toMatchObject({ name: "chagnes", line: 2, column: 5 });
  });

  it("does not take an unset variable for an empty one", () => {
    expect(refused(interpolate("${{ env.UNSET }}", scope)).message).toBe("The environment variable UNSET is not set.");
    expect(refused(interpolate("${{ env.NOWHERE }}", scope)).message).toContain("NOWHERE is not set");
  });

  it("has no context paths in a workspace without a channel", () => {
    const bare = buildScope({ workflow: "w", tag: "main", projectDir: "/p" });
    expect(refused(interpolate("${{ context.channel }}", bare)).message).toContain("is not defined");
  });

  it.each([
    ["a\n  ${{ changes", 2, 3, /not closed/],
    ["${{", 1, 1, /not closed/],
    ["${{ changes } }", 1, 1, /not closed/],
    ["${{ a ${{ changes }}", 1, 1, /not closed/],
    ["x ${{ }}", 1, 3, /is not a name/],
    ["${{ a || b }}", 1, 1, /"a \|\| b" at line 1/],
    ["${{ a.b.c }}", 1, 1, /is not a name/],
    ["${{ __proto__.x.y }}", 1, 1, /is not a name/],
    ["${{ params[0] }}", 1, 1, /is not a name/],
  ])("refuses %j at %i:%i", (template, line, column, message) => {
    for (const result of [interpolate(template, scope), checkPlaceholders(template, [])]) {
      expect(refused(result)).toMatchObject({ message: expect.stringMatching(message), details: { line, column } });
    }
  });

  it("finds no name in a prototype", () => {
    expect(refused(interpolate("${{ constructor }} ${{ toString }}", scope)).message).toContain("constructor");
    expect(refused(interpolate("${{ __proto__ }}", scope)).message).toContain("__proto__");
  });

  it("keeps literal text and values exactly, for any text and any value", () => {
    const literal = fc.string({ unit: fc.constantFrom("a", " ", "\n", "{", "}", "@", "é", "😀") });
    fc.assert(
      fc.property(fc.array(fc.tuple(literal, fc.string()), { maxLength: 5 }), (pieces) => {
        const values: Scope = new Map(pieces.map(([, text], index) => [`v${index}`, text]));
        const template = pieces.map(([text], index) => `${text}\${{ v${index} }}`).join("");
        const { text, inert } = value(interpolate(template, values));
        expect(text).toBe(pieces.map(([before, inserted]) => before + inserted).join(""));
        const insertions = pieces.map(([, inserted]) => inserted).filter((inserted) => inserted !== "");
        expect(inert.map(({ start, end }) => text.slice(start, end))).toEqual(insertions);
      }),
      runs(300),
    );
  });

  it("gives back any text whose placeholders are escaped", () => {
    const noise = fc.string({ unit: fc.constantFrom("$", "{", "}", " ", "a", ".", "\n") });
    fc.assert(
      fc.property(noise, (text) => {
        const escaped = text.split("${{").join("$${{");
        expect(value(interpolate(escaped, new Map())).text).toBe(text);
      }),
      runs(500),
    );
  });
});

describe("checkPlaceholders", () => {
  it("lists what a template refers to, with places", () => {
    expect(value(checkPlaceholders("a ${{ x }}\n${{ params.y }}", ["x", "params.y"]))).toEqual([
      { name: "x", start: 2, end: 10, line: 1, column: 3 },
      { name: "params.y", start: 11, end: 26, line: 2, column: 1 },
    ]);
  });

  it("checks names before there are values, and lets the environment pass [interpolation.unknown]", () => {
    expect(value(checkPlaceholders("${{ x }} ${{ env.ANY }}", ["x"]))).toHaveLength(2);
    expect(refused(checkPlaceholders("${{ y }}", ["x"])).details).toMatchObject({ known: ["x", "env.NAME"] });
  });

  it("knows what each setup step may refer to: what ran before it", () => {
    const workflow = {
      params: [{ name: "base", type: "string", required: true }],
      setup: [{ shell: "a", as: "first" }, { shell: "b" }, { shell: "c", as: "third" }],
      workspace: {
        provider: "sqlite",
        documents: "file",
        channel: false,
        mirrored: false,
        channelFile: "c",
        documentFile: "d",
      },
    } as const;
    expect(scopeNames(workflow)).toEqual(expect.arrayContaining(["params.base", "first", "third", "instance"]));
    expect(scopeNames(workflow, 2)).not.toContain("third");
    expect(scopeNames(workflow)).not.toContain("context.channel");
    expect(scopeNames({ ...workflow, workspace: { ...workflow.workspace, channel: true } })).toContain(
      "context.channel",
    );
  });
});
