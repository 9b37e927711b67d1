import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { jsonSchema } from "../../../src/files/definitions/schema/json-schema.ts";
import { formatProblem } from "../../../src/files/yaml/problem.ts";
import { accepts } from "../../fixtures/definitions/draft7.ts";
import { FILE_OF, loadText } from "../../fixtures/definitions/load-text.ts";
import { MALFORMED } from "../../fixtures/definitions/malformed.ts";

const cases = MALFORMED.map((row) => ({ proves: "[project.all-errors]", ...row }));

describe("malformed files", () => {
  it.each(cases)("$proves $kind with $what is refused at $at", async ({ kind, text, at, says, hint }) => {
    const { agents, workflows, problems } = await loadText(kind, text);
    const found = problems.filter(({ message }) => !message.startsWith('There is no agent "'));
    expect(found).toHaveLength(1);
    const [problem] = found;
    expect(problem).toMatchObject({ severity: "error", file: FILE_OF[kind] });
    expect(`${problem?.line}:${problem?.column}`).toBe(at);
    expect(problem?.message).toContain(says);
    expect(problem?.hint ?? "").toContain(hint ?? "");
    expect(problem?.text).toBe(visibleLine(text, problem?.line ?? 0));
    expect([...agents.keys(), ...workflows.keys()]).not.toContain("subject");
  });

  it("[project.all-errors] reports every mistake of a file, in the order of its lines", async () => {
    const text = "modle: auto\nmax_steps: many\nprompt: { system: Hi, extra: 1 }\nbackend: gpt\ntimeout: 5\n";
    const { problems } = await loadText("agent", text);
    expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual(["1:1", "2:12", "3:23", "4:10", "5:10"]);
  });

  it("reports every mistake of meaning too", async () => {
    const text = "name: user\ntimeout: soon\nprompt: { system: Hi }\nschedule: { wakeup: never }\n";
    const { problems } = await loadText("agent", text);
    expect(problems.map(({ line }) => line)).toEqual([1, 1, 2, 4]);
  });

  it("shows the line with a caret under the place and says what to do", async () => {
    const { problems } = await loadText("workflow", "agents:\n  bob:\n    ref: bob\n    soul: { role: x }\n");
    expect(problems[0] && formatProblem(problems[0])).toBe(
      [
        '.workflows/subject.yaml:4:5: An agent taken by ref keeps its own "soul".',
        "      soul: { role: x }",
        "      ^",
        "  hint: Add to its prompt with prompt.append, or drop ref to define another agent here.",
      ].join("\n"),
    );
  });

  it("keeps long lines short", async () => {
    const { problems } = await loadText(
      "agent",
      `model: auto\nprompt: { system: Hi }\nunknown: "${"x".repeat(5000)}"\n`,
    );
    expect(problems[0]?.text).toHaveLength(200);
  });
});

describe("[agent.provider] a key written into a file", () => {
  const secret = "abc123verysecret";
  it.each([
    ["as the value", `provider:\n  name: x\n  api_key: ${secret}\n`],
    ["in quotes", `provider:\n  name: x\n  api_key: "${secret}"\n`],
    ["on the next line", `provider:\n  name: x\n  api_key:\n    ${secret}\n`],
    ["in one line", `provider: { name: x, api_key: ${secret} }\n`],
    ["beside an unknown key", `provider: { name: x, api_key: ${secret}, nmae: y }\n`],
    ["in an unclosed quote", `provider:\n  api_key: "${secret}\n`],
    ["as a list", `provider:\n  name: x\n  api_key: [${secret}]\n`],
    ["with a known shape under any key", `modle: sk-${secret}\n`],
  ])("is refused and not repeated, %s", async (_, text) => {
    const { problems } = await loadText("agent", `model: auto\nprompt: { system: Hi }\n${text}`);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain(secret);
  });

  it("is warned about in an environment table, and the agent still loads", async () => {
    const text = `model: auto\nprompt: { system: Hi }\nenv: { MY_TOKEN: ${secret}, OTHER_TOKEN: $X }\n`;
    const { agents, problems } = await loadText("agent", text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: "warning", line: 3, column: 8 });
    expect(JSON.stringify(problems)).not.toContain(secret);
    expect(agents.has("subject")).toBe(true);
  });
});

describe("unknown keys", () => {
  it("[project.broken-file] are errors at every level, and the file is not used", async () => {
    const text = "modle: x\nmodel: auto\nprompt: { system: Hi, tone: warm }\nschedule: { wakeup: 5m, evry: 1 }\n";
    const { agents, broken, problems } = await loadText("agent", text);
    expect(problems.map(({ severity, line, column }) => `${severity} ${line}:${column}`)).toEqual([
      "error 1:1",
      "error 3:23",
      "error 4:25",
    ]);
    expect(agents.size).toBe(0);
    expect(broken.agents.get("subject")).toMatchObject({ line: 1 });
  });

  it("of the project file are errors, and its other settings are read", async () => {
    const { isRead, settings, problems } = await loadText("project", "defualts: {}\nstore: { path: data/x.db }\n");
    expect(problems).toMatchObject([{ severity: "error", line: 1 }]);
    expect({ isRead, path: settings.store.path }).toEqual({ isRead: true, path: "data/x.db" });
  });

  it("of which the meaning is known are not left out", async () => {
    const { workflows, problems } = await loadText("workflow", "agents: { a: { ref: b } }\ntasks: []\n");
    expect(problems[0]).toMatchObject({ severity: "error", line: 2 });
    expect(workflows.size).toBe(0);
  });
});

function visibleLine(text: string, line: number): string {
  const source = text.split("\n")[line - 1] ?? "";
  return source.replaceAll("\u001b", "\\u{1b}").replace("verysecretvalue", "***");
}

/** What a schema cannot know: how the text is written, other files, other values of the same file. */
const ONLY_CHECK_KNOWS: ReadonlySet<string> = new Set([
  "a directive",
  "an alias inside its own anchor",
  "a prototype key",
  "a constructor key",
  "an escape character",
  "an escaped NUL",
  "no model for the sdk engine",
  "no model for an inline agent",
  "a prompt file that is not there",
  "a prompt file outside the project",
  "an absolute prompt file",
  "a personal context that is everybody's",
  "an unknown time zone",
  "a command without its engine",
  "participants that differ in case",
  "an owner who does not take part",
  "an unknown placeholder, in its line",
  "an output used before it exists",
  "two outputs of one name",
  "a default that is no choice",
  "a default of another type",
  "a listed file that is not there",
]);

describe("the JSON Schemas", () => {
  const values = MALFORMED.flatMap(({ what, kind, text }) => {
    try {
      return [{ what, kind, value: parse(text, { logLevel: "error" }) as unknown }];
    } catch {
      return []; // An editor shows that, too.
    }
  });
  const schemas = { agent: jsonSchema("agent"), workflow: jsonSchema("workflow"), project: jsonSchema("project") };

  it("refuse what check refuses, as far as a schema can [begin.schemas]", () => {
    const accepted = values.filter(({ kind, value }) => accepts(schemas[kind], value)).map(({ what }) => what);
    expect(accepted.filter((what) => !ONLY_CHECK_KNOWS.has(what))).toEqual([]);
    expect([...ONLY_CHECK_KNOWS].filter((what) => !accepted.includes(what))).toEqual([]);
    expect(values.length).toBeGreaterThan(70);
  });
});
