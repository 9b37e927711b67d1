import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { TEAM } from "../support/team/team.ts";

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: TEAM });
});
afterAll(async () => daemon[Symbol.asyncDispose]());

const fileOf = (name: string): string => join(daemon.project, `.agents/${name}.yaml`);

describe("agent-worker agent create", () => {
  it("[cli.agent-create] writes everything it is told into the file", async () => {
    daemon.write("prompts/ann.md", "You are Ann.\n");
    const settings = [
      ["--model", "anthropic/claude-sonnet-4-5", "--backend", "mock", "--system-file", "prompts/ann.md"],
      ["--role", "reviewer", "--expertise", "typescript, security,", "--style", "short"],
      ["--principle", "Tests first", "--principle", "Be kind"],
      ["--wakeup", "5m", "--wakeup-prompt", "Look around."],
    ];
    const created = await daemon.json(["agent", "create", "ann", ...settings.flat()]);
    expect(created).toEqual({ name: "ann", file: ".agents/ann.yaml" });
    expect(parse(readFileSync(fileOf("ann"), "utf8"))).toMatchObject({
      name: "ann",
      model: "anthropic/claude-sonnet-4-5",
      backend: "mock",
      prompt: { system_file: "../prompts/ann.md" },
      soul: {
        role: "reviewer",
        expertise: ["typescript", "security"],
        style: "short",
        principles: ["Tests first", "Be kind"],
      },
      schedule: { wakeup: "5m", prompt: "Look around." },
    });
    expect(await daemon.run(["check"])).toMatchObject({ exit: 0 });
  });

  it("[cli.agent-create] takes the prompt from standard input, and tells what to do next", async () => {
    expect(await daemon.run(["agent", "create", "bea", "-b", "mock", "-s", "-"], { input: "You are Bea." })).toEqual({
      exit: 0,
      out: "Created bea in .agents/bea.yaml. Talk to it with: agent-worker send bea MESSAGE --wait\n",
      err: "",
    });
    expect(parse(readFileSync(fileOf("bea"), "utf8"))).toMatchObject({ prompt: { system: "You are Bea." } });
  });

  it("[cli.new] [cli.agent-create] keeps an agent that was made for now", async () => {
    daemon.write("who.txt", "You are here for now.");
    expect(await daemon.json(["new", "-b", "mock", "-f", "who.txt", "--wakeup", "1h"])).toEqual({
      name: "agent-1",
      file: null,
    });
    expect(await daemon.json(["ls", "agent-1"])).toMatchObject({ agents: [{ source: "ephemeral", backend: "mock" }] });
    expect(await daemon.run(["new", "tester", "-b", "mock", "-s", "Test."])).toMatchObject({
      exit: 0,
      out: expect.stringContaining("Made tester."),
    });
    expect(await daemon.run(["agent", "memory", "tester"])).toMatchObject({ exit: 3 });
    expect(await daemon.json(["agent", "create", "cleo", "--from", "agent-1"])).toEqual({
      name: "cleo",
      file: ".agents/cleo.yaml",
      from: "agent-1",
    });
    expect(parse(readFileSync(fileOf("cleo"), "utf8"))).toMatchObject({
      prompt: { system: "You are here for now." },
      schedule: { wakeup: "1h" },
    });
    expect(await daemon.run(["ls", "agent-1"])).toMatchObject({ exit: 3 });
  });

  it.each([
    { args: ["agent", "create"], exit: 2, says: "NAME is missing." },
    { args: ["agent", "create", "1x", "-b", "mock"], exit: 2, says: '"1x" is not a valid name' },
    { args: ["agent", "create", "alice", "-b", "mock"], exit: 3, says: 'already an agent "alice"' },
    { args: ["agent", "create", "dan"], exit: 2, says: "dan has no model" },
    { args: ["agent", "create", "dan", "-b", "moc"], exit: 2, says: "Did you mean mock?" },
    { args: ["agent", "create", "dan", "--modle", "x"], exit: 2, says: "Did you mean --model?" },
    { args: ["agent", "create", "dan", "--from", "agent-9"], exit: 3, says: "agent-9" },
    { args: ["agent", "create", "dan", "--from", "agent-9", "--role", "x"], exit: 2, says: "--from keeps" },
    { args: ["agent", "create", "dan", "-b", "mock", "-f", "../../etc/passwd"], exit: 2, says: "" },
    { args: ["agent", "creat", "dan"], exit: 2, says: 'Did you mean "create"?' },
    { args: ["new", "-b", "mock", "-f", "nowhere.txt"], exit: 2, says: "There is no file nowhere.txt." },
    { args: ["new", "-b", "mock", "-s", "x", "-f", "y"], exit: 2, says: "given twice" },
    { args: ["new", "alice", "-b", "mock"], exit: 3, says: 'already an agent "alice"' },
    { args: ["new", "x", "-b", "mock", "--wakeup", "often"], exit: 2, says: "often" },
  ])("[cli.errors] refuses $args", async ({ args, exit, says }) => {
    expect(await daemon.run(args)).toEqual({ exit, out: "", err: expect.stringContaining(says) });
    expect(existsSync(fileOf("dan"))).toBe(false);
  });
});

describe("agent-worker agent list, info and delete", () => {
  it("[cli.agent-manage] lists and describes", async () => {
    expect((await daemon.run(["agent", "list"])).out).toMatch(/^alice +file /m);
    expect(await daemon.json(["agent", "info", "alice"])).toMatchObject({
      name: "alice",
      backend: "mock",
      prompt: { system: "You are alice." },
      soul: { role: "reviewer" },
      context: { memory: 0, notes: 0, openTodos: 0 },
    });
    const { out } = await daemon.run(["agent", "info", "alice"]);
    expect(out).toMatch(/^alice\nengine +mock\n/);
    expect(out).toMatch(/^role +reviewer$/m);
    expect(await daemon.run(["agent", "info", "alcie"])).toMatchObject({
      exit: 3,
      err: expect.stringContaining('Did you mean "alice"?'),
    });
  });

  it("[cli.agent-manage] delete needs a yes, and without a person --yes", async () => {
    await daemon.json(["agent", "create", "eve", "-b", "mock"]);
    await daemon.json(["agent", "memory", "eve", "set", "colour", "green"]);
    expect(await daemon.run(["agent", "delete", "eve"], { input: "y\n" })).toEqual({
      exit: 3,
      out: "",
      err: expect.stringContaining("agent-worker agent delete eve --yes"),
    });
    expect(existsSync(fileOf("eve"))).toBe(true);
    expect(await daemon.json(["agent", "delete", "eve", "--yes", "--keep-context"])).toEqual({
      name: "eve",
      contextKept: true,
    });
    expect(existsSync(fileOf("eve"))).toBe(false);
    await daemon.json(["agent", "create", "eve", "-b", "mock"]);
    expect((await daemon.run(["agent", "memory", "eve", "get", "colour"])).out).toBe("green\n");
    expect((await daemon.run(["agent", "delete", "eve", "-y"])).out).toBe("Deleted eve.\n");
    expect(await daemon.run(["agent", "delete", "eve", "--yes"])).toMatchObject({ exit: 3 });
  });
});

describe("agent-worker agent memory, notes and todo", () => {
  it("[cli.agent-context] reads and changes what an agent remembers", async () => {
    expect((await daemon.run(["agent", "memory", "bob"])).out).toBe("bob remembers nothing yet.\n");
    expect(
      await daemon.json(["agent", "memory", "bob", "set", "style", "short and kind", "--tier", "core"]),
    ).toMatchObject({ agent: "bob", entry: { key: "style", value: "short and kind", tier: "core", source: "user" } });
    await daemon.json(["agent", "memory", "bob", "set", "place", "-", "--visibility", "public"], {
      input: "by the sea",
    });
    expect((await daemon.run(["agent", "memory", "bob", "get", "style"])).out).toBe("short and kind\n");
    expect((await daemon.run(["agent", "memory", "bob"])).out).toMatch(
      /^KEY +DATE +TIER +VISIBLE +FROM +VALUE\n(.*\n)*style +\d{4}-\d\d-\d\d +core +private +user +short and kind\n/,
    );
    expect(await daemon.json(["agent", "memory", "bob", "search", "sea"])).toMatchObject({
      agent: "bob",
      entries: [{ key: "place", visibility: "public" }],
    });
    expect((await daemon.run(["agent", "memory", "bob", "delete", "place"])).out).toBe("bob forgot place.\n");
    expect(await daemon.run(["agent", "memory", "bob", "get", "place"])).toMatchObject({ exit: 3, out: "" });
    expect(await daemon.json(["agent", "memory", "bob"])).toMatchObject({ agent: "bob", entries: [{}], problems: [] });
  });

  it("[cli.agent-context] keeps notes", async () => {
    const added = (await daemon.json(["agent", "notes", "bob", "add", "The login has no tests."])) as {
      note: { name: string };
    };
    await daemon.run(["agent", "notes", "bob", "add", "-", "--title", "Second"], { input: "More.\n" });
    expect((await daemon.run(["agent", "notes", "bob", "read", added.note.name])).out).toContain(
      "The login has no tests.",
    );
    const { notes } = (await daemon.json(["agent", "notes", "bob"])) as { notes: { name: string }[] };
    expect(notes).toHaveLength(2);
    expect((await daemon.run(["agent", "notes", "bob", "-n", "1"])).out.split("\n")).toHaveLength(3);
    expect(await daemon.run(["agent", "notes", "bob", "read", "../../alice.yaml"])).toMatchObject({ out: "" });
  });

  it("[cli.agent-context] keeps todos", async () => {
    expect((await daemon.run(["agent", "todo", "bob"])).out).toBe("bob has nothing to do.\n");
    expect((await daemon.run(["agent", "todo", "bob", "add", "Review the login"])).out).toBe(
      "Added as 1: Review the login\n",
    );
    await daemon.json(["agent", "todo", "bob", "add", "Rest"]);
    expect((await daemon.run(["agent", "todo", "bob", "done", "1"])).out).toBe("Done: Review the login\n");
    expect(await daemon.json(["agent", "todo", "bob"])).toEqual({
      agent: "bob",
      todos: [{ number: 1, text: "Rest", done: false, outside: false }],
    });
    expect((await daemon.run(["agent", "todo", "bob", "--all"])).out).toMatch(/^ {2}done {2}Review the login$/m);
  });

  it.each([
    { args: ["agent", "memory", "nobody"], exit: 3, says: "nobody" },
    { args: ["agent", "memory", "bob", "gte", "x"], exit: 2, says: "Did you mean get?" },
    { args: ["agent", "memory", "bob", "get"], exit: 2, says: "KEY is missing: get KEY." },
    { args: ["agent", "memory", "bob", "set", "k"], exit: 2, says: "VALUE is missing: set KEY VALUE." },
    { args: ["agent", "memory", "bob", "get", "a", "b"], exit: 2, says: '"b" is one word too many.' },
    { args: ["agent", "memory", "bob", "--tier", "cor"], exit: 2, says: "Did you mean core?" },
    { args: ["agent", "notes", "bob", "add"], exit: 2, says: "TEXT is missing" },
    { args: ["agent", "notes", "bob", "read", "nothing.md"], exit: 3, says: "nothing.md" },
    { args: ["agent", "todo", "bob", "done", "one"], exit: 2, says: 'NUMBER takes a whole number, not "one".' },
    { args: ["agent", "todo", "bob", "done", "99"], exit: 3, says: "99" },
    { args: ["agent", "todo"], exit: 2, says: "NAME is missing." },
  ])("[cli.errors] refuses $args", async ({ args, exit, says }) => {
    expect(await daemon.run(args)).toEqual({ exit, out: "", err: expect.stringContaining(says) });
  });
});

describe("agent-worker agent edit", () => {
  const edit = (script: string, name = "carol") =>
    daemon.run(["agent", "edit", name], { env: { EDITOR: `sh -c '${script}' editor` } });
  const draft = (): string => join(daemon.project, ".workspace/drafts/carol.yaml");

  it("[agent.edit] takes over what was written when it is sound", async () => {
    expect(await edit('echo "model: auto" >> "$1"')).toEqual({
      exit: 0,
      out: "Changed .agents/carol.yaml.\n",
      err: "",
    });
    expect(parse(readFileSync(fileOf("carol"), "utf8"))).toMatchObject({ name: "carol", model: "auto" });
    expect(existsSync(draft())).toBe(false);
    expect((await edit("true")).out).toBe("Nothing was changed in .agents/carol.yaml.\n");
    expect(await daemon.json(["agent", "info", "carol"])).toMatchObject({ model: "auto" });
  });

  it("[agent.edit] refuses mistakes with their places, keeps what was written, and goes on with it", async () => {
    const before = readFileSync(fileOf("carol"), "utf8");
    const refused = await edit('echo "modle: x" >> "$1"');
    expect(refused).toMatchObject({ exit: 2, out: "" });
    expect(refused.err).toMatch(/\.agents\/carol\.yaml:\d+:1: Unknown key "modle"\./);
    expect(refused.err).toContain("What you wrote is kept in .workspace/drafts/carol.yaml.");
    expect(readFileSync(fileOf("carol"), "utf8")).toBe(before);
    expect(readFileSync(draft(), "utf8")).toBe(`${before}modle: x\n`);

    expect(await edit('sed -i /modle/d "$1"; echo "max_steps: 3" >> "$1"')).toEqual({
      exit: 0,
      out: "Changed .agents/carol.yaml.\n",
      err: "Going on with the draft that was kept.\n",
    });
    expect(readFileSync(fileOf("carol"), "utf8")).toBe(`${before}max_steps: 3\n`);
  });

  it("[agent.edit] loses neither side when the file changes meanwhile, the editor fails or the name is another", async () => {
    const file = fileOf("carol");
    const meanwhile = await edit(`echo "max_tokens: 9" >> "$1"; echo "# theirs" >> "${file}"`);
    expect(meanwhile).toMatchObject({ exit: 3, err: expect.stringContaining("changed by somebody else") });
    expect(readFileSync(draft(), "utf8")).toContain("max_tokens: 9");
    expect(readFileSync(file, "utf8")).toContain("# theirs");
    expect(await edit("true")).toMatchObject({ exit: 3, err: expect.stringContaining("delete the draft") });

    await daemon.run(["agent", "create", "dora", "-b", "mock"]);
    const failed = await edit('echo "# mine" >> "$1"; exit 7', "dora");
    expect(failed).toMatchObject({ exit: 1, out: "", err: expect.stringContaining("the editor ended with 7") });
    expect(await edit('sed -i "s/name: dora/name: dina/" "$1"', "dora")).toMatchObject({
      exit: 2,
      err: expect.stringContaining('calls the agent "dina"'),
    });
    expect(parse(readFileSync(fileOf("dora"), "utf8"))).toMatchObject({ name: "dora" });
  });

  it("[agent.edit] mends a file that defines nobody, and refuses what has no file", async () => {
    daemon.write(".agents/fred.yaml", "name: fred\nbackend: [\n");
    const mended = 'printf "name: fred\\nbackend: mock\\nprompt: { system: x }\\n" > "$1"';
    expect(await edit(mended, "fred")).toMatchObject({ exit: 0 });
    expect(await daemon.json(["ls", "fred"])).toMatchObject({ agents: [{ name: "fred" }] });
    expect(await edit("true", "nobody")).toMatchObject({
      exit: 3,
      err: expect.stringContaining("agent create nobody"),
    });
    expect(await daemon.run(["agent", "edit", "bob"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("Set VISUAL or EDITOR."),
    });
  });
});
