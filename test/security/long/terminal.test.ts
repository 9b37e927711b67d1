import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { commandFolder } from "../../support/daemon/installed-command.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { attack } from "../../support/security/attack.ts";
import { onTerminal } from "../../support/security/on-terminal.ts";

/** A new title, a cleared screen by the short and the long form, a turned direction, an erased character, a new line. */
const TITLE = "\u001b]0;owned\u0007";
const CONTROLS = `${TITLE}\u001b[2J\u009b2J\u202egnp\u2066x\u2069\u200fy\u061cz\u007f\u2028w`;
/** Text that no terminal draws: it reads differently to a person and to a model. */
const HIDDEN =
  "pass\u200bword so\u00adft jo\u034fin \ufeffmark \u2060a\u3164b \u{e0068}\u{e0069}\u{e007f} x\u200dy \ufe0f\u{e0100}.";
/** What a reader would miss if it were escaped: a family, a heart, a keycap, a Persian and a Sinhala word. */
const WRITTEN =
  "\u{1f468}\u{1f3fd}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f\u200d\u{1f525} 1\ufe0f\u20e3 \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0dc1\u0dca\u200d\u0dbb\u0dd3";
const OBEYED = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;
/** The colours of the program itself. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g");

let model: FakeModelServer;
let daemon: CommandedDaemon;
let run = "";

beforeAll(async () => {
  model = await startFakeModelServer(() => ({
    status: 400,
    error: { type: "invalid_request_error", message: `no${CONTROLS}such model` },
  }));
  const agent = (name: string): string =>
    [
      `name: ${name}`,
      "model: fake-model",
      `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`,
      'prompt: { system: "Hello \\e]0;owned\\a\\x9b2J\\u202e there" }',
      "",
    ].join("\n");
  daemon = await startCommandedDaemon({
    files: {
      ".agents/alice.yaml": agent("alice"),
      ".agents/bob.yaml": agent("bob"),
      ".workflows/w.yaml": 'name: w\nagents:\n  alice: { ref: alice }\nkickoff: "@alice begin"\n',
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
  await daemon.run(["send", "alice", "-"], { input: `${CONTROLS} and a fake colour \u001b[31mred` });
  await daemon.run(["send", "alice", "-"], { input: `hidden: ${HIDDEN}` });
  await daemon.run(["send", "alice", "-", "--wait"], { input: "begin" });
  const { runs } = (await daemon.json(["runs", "list"])) as { runs: { id: string }[] };
  run = runs[0]?.id ?? "";
});

afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** What a terminal or a reader of the output would obey. Colours count only where nothing foreign may have them. */
function obeyed(text: string): string[] {
  return [...text.replaceAll("\r\n", "\n").replace(COLOURS, "")].filter((each) => OBEYED.test(each) || each === "\r");
}

const shown: readonly (readonly [what: string, args: () => readonly string[]])[] = [
  ["the error that send --wait reports", () => ["send", "alice", "hello", "--wait"]],
  ["the error that run reports", () => ["run", "w", "--tag", "terminal"]],
  ["the error that run -v reports", () => ["run", "w", "--tag", "verbose", "-v"]],
  ["a run", () => ["runs", "show", run]],
  ["the list of runs", () => ["runs", "list"]],
  ["the dead letters", () => ["dead", "list"]],
  ["the log of the daemon", () => ["daemon", "logs"]],
  ["messages", () => ["peek", "alice"]],
  ["the inbox", () => ["inbox", "alice"]],
  ["the state of the daemon", () => ["status"]],
  ["what doctor finds", () => ["doctor"]],
  ["the list of everything", () => ["ls"]],
  ["the prompt of an agent", () => ["agent", "info", "alice"]],
  ["an exported transcript", () => ["export", "alice"]],
  ["an exported transcript in JSON", () => ["export", "alice", "--format", "json"]],
  ["the answer of an operation", () => ["call", "peek-channel", '{"target":"alice"}']],
  ["the name of a command that does not exist", () => [`x${CONTROLS}`]],
  ["the name of an agent that does not exist", () => ["send", `x${CONTROLS}`, "hello"]],
  ["the name of a file that does not exist", () => ["check", `x${CONTROLS}.yaml`]],
];

for (const [what, args] of shown) {
  attack(`a provider or an agent controls the terminal through ${what} [terminal.text]`, async () => {
    const out = await onTerminal(args(), { cwd: daemon.project, env: daemon.env });
    expect(out).not.toBe("");
    expect(obeyed(out)).toEqual([]);
    expect(out).not.toContain("\u001b[31mred");
  });
}

for (const args of [
  ["send", "alice", "hello", "--wait", "--json"],
  ["run", "w", "--tag", "json", "--json"],
  ["peek", "alice", "--json"],
  ["dead", "list", "--json"],
  ["daemon", "logs", "--json"],
  ["agent", "info", "alice", "--json"],
  ["export", "alice", "--format", "json"],
  ["call", "peek-channel", '{"target":"alice"}'],
]) {
  attack(`JSON of ${args.join(" ")} is piped to a pager that obeys C1 and bidi controls [terminal.json]`, async () => {
    const { out } = await daemon.run(args);
    expect(out).not.toBe("");
    expect(obeyed(out)).toEqual([]);
  });
}

attack("escaped JSON gives a program another text than was sent [terminal.json]", async () => {
  const { out } = await daemon.run(["peek", "alice", "-n", "200", "--json"]);
  const contents = (JSON.parse(out) as { messages: { content: string }[] }).messages.map(({ content }) => content);
  expect(contents.some((content) => content.includes(CONTROLS))).toBe(true);
});

attack("an exported file is altered on its way to a pipe or a file [terminal.pipe]", async () => {
  const { out } = await daemon.run(["export", "alice"]);
  expect(out).toContain(CONTROLS);
  await daemon.run(["export", "alice", "-o", "alice.md"]);
  expect(readFileSync(`${daemon.project}/alice.md`, "utf8")).toContain(CONTROLS);
});

attack("a long message controls the terminal when its resource is shown [terminal.text]", async () => {
  const text = `${"long text ".repeat(20_000)}${CONTROLS}`;
  await daemon.run(["send", "alice", "-"], { input: text });
  const { out } = await daemon.run(["peek", "alice", "-n", "200", "--json"]);
  const resource = /"resource":"(res_\w+)"/.exec(out)?.[1] ?? "";
  const place = { cwd: daemon.project, env: daemon.env };
  expect(obeyed(await onTerminal(["resource", "show", resource], place))).toEqual([]);
  expect((await daemon.run(["resource", "show", resource])).out).toContain(CONTROLS);
});

attack("a broken definition controls the terminal through its problem [terminal.text]", async () => {
  using folder = commandFolder({ ".agents/bad.yaml": 'name: bad\n"mo\\e]0;owned\\a\\x9b2J\\u202edel": x\n' });
  const out = await onTerminal(["check"], {
    cwd: folder.path,
    env: { HOME: folder.path, PATH: daemon.env["PATH"] ?? "" },
  });
  expect(out).toContain("bad.yaml");
  expect(obeyed(out)).toEqual([]);
});

attack("text of an agent takes the colours of the program [terminal.text]", async () => {
  const out = await onTerminal(["peek", "alice", "-n", "200"], { cwd: daemon.project, env: daemon.env });
  expect(out).toContain("\u001b[2m");
  expect(out).toContain("\\x1b[31mred");
});

/** The messages as a terminal shows them, without its line ends. */
async function shownWords(target: string): Promise<string> {
  const out = await onTerminal(["peek", target, "-n", "200"], { cwd: daemon.project, env: daemon.env });
  return out.split(/[ \r\n]+/).join(" ");
}

attack("a text hides words in characters that are not drawn [terminal.text]", async () => {
  const out = await shownWords("alice");
  expect(out).toContain("pass\\u200bword so\\u00adft jo\\u034fin");
  expect(out).toContain("\\udb40\\udc68\\udb40\\udc69\\udb40\\udc7f x\\u200dy \\ufe0f\\udb40\\udd00.");
});

attack("escapes make emoji and words of other scripts unreadable [terminal.text]", async () => {
  await daemon.run(["send", "bob", "-"], { input: `written: ${WRITTEN}` });
  const out = await shownWords("bob");
  expect(out).toContain(`written: ${WRITTEN}`);
});
