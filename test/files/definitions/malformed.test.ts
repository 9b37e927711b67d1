import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { jsonSchema } from "../../../src/files/definitions/schema/json-schema.ts";
import { formatProblem } from "../../../src/files/yaml/problem.ts";
import { accepts } from "../../fixtures/definitions/draft7.ts";
import { FILE_OF, loadText } from "../../fixtures/definitions/load-text.ts";

/** A file that must be refused, with the place and the words a person should see. */
interface Malformed {
  readonly what: string;
  readonly kind: "agent" | "workflow" | "project";
  readonly text: string;
  /** line:column */
  readonly at: string;
  readonly says: string;
  readonly hint?: string;
  /** The requirement it shows, where there is one of its own. */
  readonly proves?: string;
}

const AGENT = "model: auto\nprompt: { system: Hello. }\n";
const WORKFLOW = "agents:\n  alice: { ref: alice }\n";
const inline = (rest: string): string => `agents:\n  bob:\n    model: auto\n    prompt: { system: Hi. }\n${rest}`;

const MALFORMED: readonly Malformed[] = [
  // What YAML itself forbids, or what we do not take from it.
  {
    proves: "[project.hostile-yaml]",
    what: "a tab as indentation",
    kind: "agent",
    text: "model: auto\nprompt:\n\tsystem: Hi\n",
    at: "3:1",
    says: "indented with a tab",
    hint: "spaces",
  },
  {
    what: "a key written twice",
    kind: "agent",
    text: `${AGENT}model: other/model\n`,
    at: "3:1",
    says: '"model" is written twice',
  },
  {
    what: "an unclosed quote",
    kind: "agent",
    text: 'model: "auto\nprompt:\n  system: Hi\n',
    at: "1:8",
    says: "never closed",
  },
  {
    what: "an unclosed list",
    kind: "agent",
    text: `${AGENT}tools: [a, b\nmax_steps: 3\n`,
    at: "4:1",
    says: "not valid YAML",
  },
  {
    what: "a second colon",
    kind: "agent",
    text: "model: auto\nprompt:\n  system: Note: be brief\n",
    at: "3:11",
    says: 'second ": "',
    hint: "quotes",
  },
  {
    what: "a value that starts with @",
    kind: "workflow",
    text: `${WORKFLOW}kickoff: @alice go\n`,
    at: "3:10",
    says: "reserves",
    hint: "quotes",
  },
  { what: "two documents", kind: "agent", text: `${AGENT}---\n${AGENT}`, at: "3:1", says: "more than one document" },
  { what: "a directive", kind: "agent", text: `%YAML 1.1\n---\n${AGENT}`, at: "1:1", says: "directives" },
  { what: "a tag", kind: "agent", text: `${AGENT}max_steps: !!js/function "return 1"\n`, at: "3:12", says: "Tags" },
  {
    what: "a merge key",
    kind: "agent",
    text: `${AGENT}soul: &s { role: x }\nmemory:\n  <<: *s\n`,
    at: "5:3",
    says: "Merge keys",
  },
  {
    what: "an alias without an anchor",
    kind: "agent",
    text: `${AGENT}tools: *missing\n`,
    at: "3:8",
    says: "no anchor",
  },
  {
    what: "an alias inside its own anchor",
    kind: "agent",
    text: `${AGENT}soul: &s\n  role: x\n  more: [*s]\n`,
    at: "5:10",
    says: "part of",
  },
  {
    what: "a prototype key",
    kind: "agent",
    text: `${AGENT}soul:\n  __proto__: { admin: true }\n`,
    at: "4:3",
    says: '"__proto__" is not allowed',
  },
  {
    what: "a constructor key",
    kind: "agent",
    text: `${AGENT}env: { constructor: x }\n`,
    at: "3:8",
    says: '"constructor" is not allowed',
  },
  { what: "a list as a key", kind: "agent", text: `${AGENT}? [a]\n: b\n`, at: "3:3", says: "plain text" },
  { what: "an escape character", kind: "agent", text: `${AGENT}tools: ["\u001b[2J"]\n`, at: "3:10", says: "U+001B" },
  { what: "an escaped NUL", kind: "agent", text: `${AGENT}tools: ["a\\0b"]\n`, at: "3:9", says: "NUL" },
  { what: "an empty file", kind: "agent", text: "", at: "1:1", says: "empty" },
  { what: "only a comment", kind: "workflow", text: "# later\n", at: "1:1", says: "empty" },
  {
    what: "text instead of a mapping",
    kind: "agent",
    text: "You are Alice.\n",
    at: "1:1",
    says: "must be a mapping, not text",
  },

  // Wrong types and values.
  {
    what: "a number as model",
    kind: "agent",
    text: "model: 4\nprompt: { system: Hi }\n",
    at: "1:8",
    says: '"model" must be text or a list, not the number 4',
  },
  {
    what: "text as a number",
    kind: "agent",
    text: `${AGENT}max_tokens: many\n`,
    at: "3:13",
    says: '"max_tokens" must be a number, not text',
  },
  { what: "a fraction of a step", kind: "agent", text: `${AGENT}max_steps: 1.5\n`, at: "3:12", says: "whole number" },
  { what: "no steps at all", kind: "agent", text: `${AGENT}max_steps: 0\n`, at: "3:12", says: "more than 0" },
  {
    what: "a set of tools that does not exist",
    kind: "agent",
    text: `${AGENT}tools: grep\n`,
    at: "3:8",
    says: 'There is no set of tools "grep"',
  },
  {
    what: "text as a list",
    kind: "agent",
    text: `${AGENT}permissions: { deny: grep }\n`,
    at: "3:22",
    says: '"deny" must be a list, not text',
  },
  {
    what: "a mapping inside a list of names",
    kind: "agent",
    text: `${AGENT}soul:\n  expertise:\n    - ok\n    - a: b\n`,
    at: "6:7",
    says: 'Entry 2 of "expertise" must be text',
  },
  {
    what: "an empty soul",
    kind: "agent",
    text: `${AGENT}soul:\n`,
    at: "3:1",
    says: '"soul" is empty; it takes a mapping',
  },
  {
    proves: "[agent.backends]",
    what: "an unknown engine",
    kind: "agent",
    text: `${AGENT}backend: claud\n`,
    at: "3:10",
    says: '"backend" cannot be "claud"',
    hint: '"claude"',
  },
  {
    what: "a list as provider",
    kind: "agent",
    text: `${AGENT}provider: [a]\n`,
    at: "3:11",
    says: "must be text or a mapping, not a list",
  },
  {
    proves: "[workflow.unknown-key]",
    what: "an unknown key in provider",
    kind: "agent",
    text: `${AGENT}provider:\n  name: x\n  baseUrl: y\n`,
    at: "5:3",
    says: 'Unknown key "baseUrl" in "provider"',
    hint: "base_url",
  },
  {
    what: "an MCP server of no kind",
    kind: "agent",
    text: `${AGENT}mcp_servers:\n  files:\n    args: [x]\n`,
    at: "4:3",
    says: '"command" is missing',
  },

  // Unknown, old and misplaced keys.
  {
    proves: "[workflow.unknown-key]",
    what: "a misspelled key",
    kind: "agent",
    text: `${AGENT}max_stps: 5\n`,
    at: "3:1",
    says: 'Unknown key "max_stps"',
    hint: '"max_steps"',
  },
  {
    proves: "[workflow.unknown-key]",
    what: "a misspelled nested key",
    kind: "agent",
    text: `${AGENT}schedule:\n  wakup: 5m\n  wakeup: 5m\n`,
    at: "4:3",
    says: 'Unknown key "wakup" in "schedule"',
    hint: '"wakeup"',
  },
  {
    what: "a confusable key",
    kind: "agent",
    text: `${AGENT}m\u043edel: auto\n`,
    at: "3:1",
    says: "Unknown key",
    hint: '"model"',
  },
  {
    proves: "[workflow.tasks-old]",
    what: "the tasks of version 1",
    kind: "workflow",
    text: `${WORKFLOW}tasks:\n  - shell: ls\n`,
    at: "3:1",
    says: "replaced",
    hint: "kickoff",
  },
  {
    proves: "[agent.ref-no-soul]",
    what: "a soul on a ref",
    kind: "workflow",
    text: "agents:\n  bob:\n    ref: bob\n    soul: { role: x }\n",
    at: "4:5",
    says: 'keeps its own "soul"',
    hint: "append",
  },
  {
    proves: "[agent.ref-no-system]",
    what: "a system prompt on a ref",
    kind: "workflow",
    text: "agents:\n  bob:\n    ref: bob\n    prompt:\n      system: x\n",
    at: "5:7",
    says: 'keeps its own "system"',
    hint: "append",
  },
  {
    what: "an old system prompt on a ref",
    kind: "workflow",
    text: "agents:\n  bob:\n    ref: bob\n    system_prompt: x\n",
    at: "4:5",
    says: 'keeps its own "system_prompt"',
  },
  {
    proves: "[agent.inline-prompt]",
    what: "append on an inline agent",
    kind: "workflow",
    text: "agents:\n  bob:\n    model: auto\n    prompt: { append: x }\n",
    at: "4:15",
    says: '"append" is for agents taken by ref',
  },
  {
    what: "a context on an inline agent",
    kind: "workflow",
    text: inline("    context: { dir: x }\n"),
    at: "5:5",
    says: "no personal context",
  },
  {
    what: "a name on an inline agent",
    kind: "workflow",
    text: inline("    name: bobby\n"),
    at: "5:5",
    says: "the key above",
  },

  // Meaning.
  {
    proves: "[agent.prompt-one]",
    what: "system and system_file",
    kind: "agent",
    text: "model: auto\nprompt:\n  system: Hi\n  system_file: a.md\n",
    at: "4:3",
    says: "cannot both be given",
  },
  {
    what: "prompt and system_prompt",
    kind: "agent",
    text: `${AGENT}system_prompt: Hi\n`,
    at: "3:1",
    says: "cannot both be given",
  },
  {
    proves: "[agent.prompt-one]",
    what: "no prompt",
    kind: "agent",
    text: "model: auto\n",
    at: "1:1",
    says: '"prompt" is missing',
  },
  {
    proves: "[agent.prompt-one]",
    what: "an empty prompt",
    kind: "agent",
    text: "model: auto\nprompt: {}\n",
    at: "2:1",
    says: '"prompt" needs "system"',
  },
  {
    proves: "[agent.model-needed]",
    what: "no model for the sdk engine",
    kind: "agent",
    text: "prompt: { system: Hi }\n",
    at: "1:1",
    says: '"model" is missing',
    hint: "auto",
  },
  {
    what: "no model for an inline agent",
    kind: "workflow",
    text: "agents:\n  bob:\n    prompt: { system: Hi }\n",
    at: "2:3",
    says: '"model" is missing',
  },
  {
    proves: "[agent.system-file]",
    what: "a prompt file that is not there",
    kind: "agent",
    text: "model: auto\nprompt:\n  system_file: no/such.md\n",
    at: "3:16",
    says: "does not exist",
    hint: ".agents/no/such.md",
  },
  {
    proves: "[agent.system-file-confined]",
    what: "a prompt file outside the project",
    kind: "agent",
    text: "model: auto\nprompt:\n  system_file: ../../etc/passwd\n",
    at: "3:16",
    says: "not inside the project",
  },
  {
    proves: "[agent.system-file-confined]",
    what: "an absolute prompt file",
    kind: "agent",
    text: "model: auto\nsystem_prompt: /etc/motd.txt\n",
    at: "2:16",
    says: "not inside the project",
  },
  {
    proves: "[agent.context-dir]",
    what: "a personal context outside",
    kind: "agent",
    text: `${AGENT}context: { dir: ../x }\n`,
    at: "3:17",
    says: "not inside the project",
  },
  {
    what: "a personal context that is everybody's",
    kind: "agent",
    text: `${AGENT}context: { dir: .agents/ }\n`,
    at: "3:17",
    says: "cannot be the folder of one agent",
  },
  {
    proves: "[agent.provider]",
    what: "a literal key",
    kind: "agent",
    text: `${AGENT}provider:\n  name: openai\n  api_key: verysecretvalue\n`,
    at: "5:3",
    says: "must name an environment variable",
    hint: "$NAME",
  },
  {
    what: "a bare number as timeout",
    kind: "agent",
    text: `${AGENT}timeout: "30"\n`,
    at: "3:10",
    says: "not a duration",
    hint: "unit",
  },
  {
    what: "a wakeup that means nothing",
    kind: "agent",
    text: `${AGENT}schedule: { wakeup: sometimes }\n`,
    at: "3:21",
    says: "neither an interval nor a cron",
  },
  {
    what: "an unknown time zone",
    kind: "agent",
    text: `${AGENT}schedule:\n  wakeup: 0 9 * * *\n  tz: Mars/Base\n`,
    at: "5:7",
    says: "not a time zone",
  },
  {
    what: "a command without its engine",
    kind: "agent",
    text: `${AGENT}command: [x]\n`,
    at: "3:1",
    says: "acp engine only",
  },
  {
    proves: "[name.reserved]",
    what: "a reserved name",
    kind: "agent",
    text: `name: System\n${AGENT}`,
    at: "1:7",
    says: "reserved",
  },
  {
    proves: "[agent.name-key]",
    what: "a name with a path in it",
    kind: "agent",
    text: `name: ../evil\n${AGENT}`,
    at: "1:7",
    says: "not a valid name",
  },
  { what: "a confusable name", kind: "agent", text: `name: \u0430lice\n${AGENT}`, at: "1:7", says: "not a valid name" },
  {
    what: "a reserved participant",
    kind: "workflow",
    text: "agents:\n  all: { ref: alice }\n",
    at: "2:3",
    says: "reserved",
  },
  {
    what: "participants that differ in case",
    kind: "workflow",
    text: "agents:\n  alice: { ref: alice }\n  Alice: { ref: alice }\n",
    at: "3:3",
    says: "differ only in case",
  },
  {
    what: "a participant without content",
    kind: "workflow",
    text: "agents:\n  alice:\n",
    at: "2:3",
    says: '"alice" is empty',
  },
  {
    proves: "[workflow.agents-required]",
    what: "no participants",
    kind: "workflow",
    text: "agents: {}\n",
    at: "1:1",
    says: "at least one agent",
  },
  {
    proves: "[workflow.agents-required]",
    what: "agents missing",
    kind: "workflow",
    text: "kickoff: Hello\n",
    at: "1:1",
    says: '"agents" is missing',
  },
  {
    what: "a list of agents",
    kind: "workflow",
    text: "agents:\n  - alice\n",
    at: "2:3",
    says: '"agents" must be a mapping, not a list',
  },
  {
    proves: "[workflow.owner-known]",
    what: "an owner who does not take part",
    kind: "workflow",
    text: `${WORKFLOW}workspace:\n  documentOwner: bob\n`,
    at: "4:18",
    says: "does not take part",
    hint: "elect",
  },
  {
    what: "workspace and context",
    kind: "workflow",
    text: `${WORKFLOW}workspace: { provider: file }\ncontext:\n`,
    at: "4:1",
    says: "cannot both be given",
  },
  {
    what: "an unknown provider",
    kind: "workflow",
    text: `${WORKFLOW}context:\n  provider: sqlte\n`,
    at: "4:13",
    says: 'cannot be "sqlte"',
    hint: '"sqlite"',
  },
  {
    what: "a bound folder outside",
    kind: "workflow",
    text: `${WORKFLOW}workspace: { bind: /tmp/x }\n`,
    at: "3:20",
    says: "not inside the project",
  },
  {
    what: "a channel file with a path",
    kind: "workflow",
    text: `${WORKFLOW}context:\n  channel: { file: ../x.md }\n`,
    at: "4:20",
    says: "file name",
  },
  {
    proves: "[interpolation.unknown]",
    what: "an unknown placeholder, in its line",
    kind: "workflow",
    text: `${WORKFLOW}kickoff: |\n  First line.\n  See \${{ dif }}.\n`,
    at: "5:7",
    says: "${{ dif }} is not defined",
  },
  {
    proves: "[interpolation.unknown]",
    what: "an output used before it exists",
    kind: "workflow",
    text: `${WORKFLOW}setup:\n  - shell: echo \${{ a }}\n  - { shell: ls, as: a }\n`,
    at: "4:17",
    says: "not defined",
  },
  {
    what: "an output named like a group",
    kind: "workflow",
    text: `${WORKFLOW}setup:\n  - { shell: ls, as: env.X }\n`,
    at: "4:22",
    says: "cannot be the name of an output",
  },
  {
    proves: "[setup.keys]",
    what: "two outputs of one name",
    kind: "workflow",
    text: `${WORKFLOW}setup:\n  - { shell: ls, as: a }\n  - { shell: ls, as: a }\n`,
    at: "5:22",
    says: "named twice",
  },
  {
    what: "a default that is no choice",
    kind: "workflow",
    text: `${WORKFLOW}params:\n  mode: { choices: [a, b], default: c }\n`,
    at: "4:37",
    says: 'cannot be "c"',
  },
  {
    what: "a default of another type",
    kind: "workflow",
    text: `${WORKFLOW}params:\n  n: { type: number, default: x }\n`,
    at: "4:31",
    says: "must be a number",
  },
  {
    what: "a project path outside",
    kind: "project",
    text: "agents:\n  - ../other/alice.yaml\n",
    at: "2:5",
    says: "not inside the project",
  },
  {
    what: "a listed file that is not there",
    kind: "project",
    text: "workflows:\n  x: .workflows/none.yaml\n",
    at: "2:6",
    says: "There is no file",
  },
  {
    what: "an inline agent without a name",
    kind: "project",
    text: "agents:\n  - model: auto\n    prompt: { system: Hi }\n",
    at: "2:5",
    says: '"name" is missing',
  },
  {
    what: "a soul that is a list, inline in the project",
    kind: "project",
    text: "agents:\n  - name: a\n    model: auto\n    prompt: { system: Hi }\n    soul: [x]\n",
    at: "5:11",
    says: '"soul" must be a mapping',
  },
  {
    what: "a reserved workflow name",
    kind: "project",
    text: "workflows:\n  global: a.yaml\n",
    at: "2:3",
    says: "reserved",
  },
];

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
