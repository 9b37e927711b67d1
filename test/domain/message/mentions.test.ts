import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMentions, resolveMentions } from "../../../src/domain/message/mentions.ts";
import { runs } from "../../property.ts";
import { naiveMentions } from "../../support/team/naive-mentions.ts";

const names = (text: string): string[] => findMentions(text).map(({ name }) => name);

describe("findMentions", () => {
  it.each([
    ["@alice", ["alice"]],
    ["hi @alice and @bob", ["alice", "bob"]],
    ["@bob @alice @bob @alice", ["bob", "alice"]],
    ["@alice.", ["alice"]],
    ["@alice, @bob; @carol: @dave! @eve?", ["alice", "bob", "carol", "dave", "eve"]],
    ["(@alice) [@bob] {@carol} <@dave> \"@eve\" '@fay'", ["alice", "bob", "carol", "dave", "eve", "fay"]],
    ["**@alice** *@bob* ~~@carol~~", ["alice", "bob", "carol"]],
    ["@alice's @bob’s", ["alice", "bob"]],
    ["@alice/@bob", ["alice", "bob"]],
    ["@alice...thanks", ["alice"]],
    ["@alice—thanks", ["alice"]],
    ["line\n@alice\r\n@bob", ["alice", "bob"]],
    ["你好，@alice", ["alice"]],
    ["👍@alice👍", ["alice"]],
    ["@agent-1 @a_b", ["agent-1", "a_b"]],
    ["@alice- @bob_", ["alice-", "bob_"]],
    ["> @alice", ["alice"]],
    ["    @alice", ["alice"]],
    ["@Alice @alice", ["Alice", "alice"]],
    ["@all @constructor", ["all", "constructor"]],
    [`@${"x".repeat(64)}`, ["x".repeat(64)]],
  ])("%j mentions %j [mention.word-boundary] [mention.order] [mention.no-duplicates]", (text, mentioned) => {
    expect(names(text)).toEqual(mentioned);
  });

  it.each([
    "a@b.c",
    "mail bob@alice now",
    "x@alice.com",
    "1@alice",
    "_@alice_",
    "é@alice",
    "e\u0301@alice",
    "你@alice",
  ])("%j is an address or a word, not a mention [mention.address]", (text) => {
    expect(names(text)).toEqual([]);
  });

  it.each(
    [
      ["", "@", "@ alice", "@1", "@-a", "@@alice", "@@@alice", "𝒜@alice", "٣@alice", "a‿@alice"],
      [
        "@aliceé",
        "@alicee\u0301",
        "@alice你",
        "@alice𝒜",
        "@alice@host",
        "@alice@host.com",
        "@alice.smith",
        "@alice._",
        "@alice.𝒜",
        "@b.c",
      ],
      ["\\@alice", "\\\\\\@alice", `@${"x".repeat(65)}`, "@" + "x".repeat(100_000)],
    ].flat(),
  )("%j mentions nobody [mention.word-boundary]", (text) => {
    expect(names(text)).toEqual([]);
  });

  it("tells where each was first seen", () => {
    expect(findMentions("hi @alice\n```\n@bob\n```\n@bob @alice")).toEqual([
      { name: "alice", start: 3 },
      { name: "bob", start: 23 },
    ]);
  });

  it.each([
    ["`@alice` @bob", ["bob"]],
    ["``@alice ` @x`` @bob", ["bob"]],
    ["`@alice\n@x` @bob", ["bob"]],
    ["`a` @alice `b`", ["alice"]],
    ["`a`@alice", ["alice"]],
    ["stray ` then @alice", ["alice"]],
    ["stray ` then\n\n@alice ` there", ["alice"]],
    ["stray ` then\n \t\n@alice ` there", ["alice"]],
    ["`` unbalanced ` @alice", ["alice"]],
    ["\\`@alice\\`", ["alice"]],
    ["\\``@alice`", []],
    ["`@alice\\` @bob", ["bob"]],
    ["\\\\`@alice`", []],
    ["\\\\@alice", ["alice"]],
    ["```@alice``` @bob", ["bob"]],
  ])("in %j the code spans leave %j [mention.code-span]", (text, mentioned) => {
    expect(names(text)).toEqual(mentioned);
  });

  it.each([
    ["```\n@alice\n```\n@bob", ["bob"]],
    ["```ts\n@alice\n```\n@bob", ["bob"]],
    ["~~~\n@alice\n~~~\n@bob", ["bob"]],
    ["~~~ a`b\n@alice\n~~~\n@bob", ["bob"]],
    ["``` a`b\n@alice", ["alice"]],
    ["````\n```\n@alice\n````\n@bob", ["bob"]],
    ["```\n@alice\n`````\n@bob", ["bob"]],
    ["```\n~~~\n@alice\n```\n@bob", ["bob"]],
    ["```\n@alice\n```x\n@bob", []],
    ["```\n@alice", []],
    ["@bob\n```\n@alice\n\n@carol", ["bob"]],
    ["  ```\n@alice\n   ```  \n@bob", ["bob"]],
    ["```\n@alice\n    ```\n@bob", []],
    ["1. do\n    ```\n    @alice\n    ```\n@bob", ["bob"]],
    ["- ```sh\n  @alice\n  ```\n- @bob", ["bob"]],
    ["10) ```\n    @alice\n    ```\n@bob", ["bob"]],
    ["\t```\n@alice\n\t```\n@bob", ["bob"]],
    ["> ```\n> @alice\n> ```\n> @bob", ["bob"]],
    ["> ```\n> @alice\n\n@bob", ["bob"]],
    ["> > ```\n> > @alice\n@bob", ["bob"]],
    ["```\n@alice\n> ```\n@bob", []],
    ["```\n@alice\n- ```\n@bob", []],
    ["```\n@alice\n\t```\n@bob", []],
    ["```\r\n@alice\r\n```\r\n@bob", ["bob"]],
    ["text\n```\n@alice\n```\n@bob", ["bob"]],
    ["stray ` here\n```\n` @alice\n```\n@bob `", ["bob"]],
    ["``\n@alice\n``", []],
    ["~~@alice~~", ["alice"]],
    ["~~\n@alice\n~~", ["alice"]],
  ])("in %j the fences leave %j [mention.code-fence]", (text, mentioned) => {
    expect(names(text)).toEqual(mentioned);
  });

  describe("with data in the text", () => {
    const render = (template: string, data: string): { text: string; inert: { start: number; end: number }[] } => {
      const [before = "", after = ""] = template.split("$");
      return { text: before + data + after, inert: [{ start: before.length, end: before.length + data.length }] };
    };

    it.each([
      ["$ @bob", "@alice", ["bob"]],
      ["$\n@bob", "```\n@alice", ["bob"]],
      ["$ @bob `x`", "`@alice", ["bob"]],
      ["```\n$\n```\n@bob", "```\n@alice\n", ["bob"]],
      ["`$` @bob", "` @alice", ["bob"]],
      ["@$", "alice", []],
      ["@ali$", "ce", []],
      ["$@bob", "text", ["bob"]],
      ["$@bob", "\\", ["bob"]],
      ["\\$@bob", "x", ["bob"]],
      ["a $@bob", "", ["bob"]],
      ["@bob $", "@bob", ["bob"]],
    ])("%j with %j mentions %j [interpolation.data]", (template, data, mentioned) => {
      const { text, inert } = render(template, data);
      expect(findMentions(text, { inert }).map(({ name }) => name)).toEqual(mentioned);
    });

    it("is decided by the template alone [interpolation.data]", () => {
      const piece = fc.constantFrom("@alice ", "@bob", "`", "```\n", "\n", "~~~", " ", "x", "\\", "> ", "- ", "@");
      const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
      fc.assert(
        fc.property(anyText, anyText, anyText, anyText, (before, one, other, after) => {
          fc.pre(one !== "" && other !== "");
          const found = [one, other].map((data) => {
            const text = before + data + after;
            const inert = [{ start: before.length, end: before.length + data.length }];
            const moved = (start: number): number => (start < before.length ? start : start - data.length);
            return findMentions(text, { inert }).map(({ name, start }) => ({ name, start: moved(start) }));
          });
          expect(found[0]).toEqual(found[1]);
        }),
        runs(400),
      );
    });

    it("takes ranges in any order, overlapping, empty or out of bounds", () => {
      const text = "@alice @bob @carol";
      const inert = [
        { start: 12, end: 99 },
        { start: 0, end: 0 },
        { start: 2, end: 6 },
        { start: 0, end: 4 },
        { start: -5, end: 1 },
      ];
      expect(findMentions(text, { inert })).toEqual([{ name: "bob", start: 7 }]);
    });
  });

  it("agrees with a naive reading of the rules [mention.code-span] [mention.code-fence]", () => {
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("@alice", "@bob", "@carol", "@a", "@", "@@", "@all") },
      {
        weight: 4,
        arbitrary: fc.constantFrom("`", "``", "```", "````", "~~~", "```\n", "~~~\n", "\n```\n", "\\", "\\`"),
      },
      { weight: 4, arbitrary: fc.constantFrom(" ", "\n", "\n\n", "\r\n", "\n  ", "\n    ", "\n\t", "> ", "- ", "1. ") },
      { weight: 3, arbitrary: fc.constantFrom("x", ".", ",", "_", "-", "é", "e\u0301", "𝒜", "👍", "/", "1", ":") },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        expect(findMentions(text)).toEqual(naiveMentions(text));
      }),
      runs(1000),
    );
  });

  it("reads large hostile texts in one pass", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `@a${index}`).join(" ");
    expect(names(many)).toHaveLength(10_000);
    const growing = Array.from({ length: 1_400 }, (_, index) => "`".repeat(index + 1)).join(" ");
    const texts = [
      "`".repeat(1_000_000),
      "` `` ".repeat(200_000),
      "`a".repeat(500_000),
      "~~~\n".repeat(250_000),
      "```\n\n".repeat(200_000),
      "``` `\n".repeat(150_000),
      "> ".repeat(500_000),
      "- ".repeat(500_000),
      "\n".repeat(1_000_000),
      "\n ".repeat(500_000),
      " ".repeat(1_000_000),
      "\\".repeat(1_000_000),
      "@".repeat(1_000_000),
      "@a@".repeat(300_000),
      "a\n\n".repeat(300_000),
      growing,
    ];
    for (const text of texts) expect(names(`${text}\n~~~\n~~~\n@`)).toEqual([]);
    const inert = Array.from({ length: 100_000 }, (_, index) => ({ start: index * 3, end: index * 3 + 3 }));
    expect(findMentions(`${"@a ".repeat(100_000)}@b`, { inert })).toEqual([{ name: "b", start: 300_000 }]);
  });
});

describe("resolveMentions", () => {
  const scope = (sender: string, participants = ["alice", "bob", "carol"]) => ({
    sender,
    isParticipant: (name: string) => participants.includes(name),
    participants: () => participants,
  });
  const resolve = (text: string, sender = "user") => resolveMentions(findMentions(text), scope(sender));

  it("keeps participants in order of first occurrence [mention.participants-only] [mention.order]", () => {
    expect(resolve("@carol @nobody @alice @carol")).toEqual({ mentioned: ["carol", "alice"], unknown: ["nobody"] });
  });

  it("matches case exactly and reports the near miss [mention.participants-only]", () => {
    expect(resolve("@Alice @alice @BOB")).toEqual({ mentioned: ["alice"], unknown: ["Alice", "BOB"] });
  });

  it("expands @all in its place, to everyone but the sender [mention.all] [mention.no-duplicates]", () => {
    expect(resolve("@carol @all @bob").mentioned).toEqual(["carol", "alice", "bob"]);
    expect(resolve("@all", "bob").mentioned).toEqual(["alice", "carol"]);
    expect(resolve("@All @ALL-").mentioned).toEqual(["alice", "bob", "carol"]);
  });

  it("never mentions the sender, who is not unknown either [mention.not-self]", () => {
    expect(resolve("@alice @alice_ @all", "alice")).toEqual({ mentioned: ["bob", "carol"], unknown: [] });
  });

  it("lets the person and the system be named in passing", () => {
    expect(resolve("@user @system @User", "alice")).toEqual({ mentioned: [], unknown: [] });
  });

  it("drops trailing _ and - only where the name as written does not exist", () => {
    const participants = ["alice", "bob", "bob_"];
    const found = findMentions("_thanks @alice_ @bob_ @bob-- @dan_");
    expect(resolveMentions(found, scope("user", participants))).toEqual({
      mentioned: ["alice", "bob_", "bob"],
      unknown: ["dan_"],
    });
  });

  it("asks for the participants only when everyone is called", () => {
    const none = { sender: "user", isParticipant: () => true, participants: () => expect.unreachable() };
    expect(resolveMentions(findMentions("@alice"), none).mentioned).toEqual(["alice"]);
  });

  it("mentions participants only, each once, never the sender", () => {
    const word = fc.constantFrom("@alice", "@bob", "@carol", "@all", "@dan", "@user", "@Alice", "@alice_", "x");
    const sender = fc.constantFrom("alice", "bob", "user", "system", "dan");
    fc.assert(
      fc.property(fc.array(word, { maxLength: 10 }), sender, (words, from) => {
        const { mentioned, unknown } = resolve(words.join(" "), from);
        expect(new Set(mentioned).size).toBe(mentioned.length);
        expect(["alice", "bob", "carol"]).toEqual(expect.arrayContaining(mentioned));
        expect([...mentioned, ...unknown]).not.toContain(from);
      }),
      runs(300),
    );
  });
});
