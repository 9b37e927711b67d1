import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { commandFolder } from "../../support/daemon/installed-command.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";

const KEY = "sk-ant-test-0123456789abcdefghij";
const PATIENT = { timeout: 180_000 };
const ALICE = "name: alice\nmodel: anthropic/claude-x\nprompt: { system: You are alice. }\n";

describe("a key", () => {
  it(
    "that I keep with login is used by the running daemon at once, and never shown [begin.login]",
    PATIENT,
    async () => {
      await using model = await startFakeModelServer(() => ({ text: "Hello from the model." }));
      await using daemon = await startCommandedDaemon({
        files: { ".agents/alice.yaml": ALICE },
        env: { ANTHROPIC_BASE_URL: model.url },
      });
      const before = await daemon.run(["send", "alice", "hi", "--wait"]);
      expect(before).toMatchObject({ exit: 1, err: expect.stringContaining("agent-worker login anthropic") });

      const kept = await daemon.run(["login", "anthropic"], { input: `${KEY}\n` });
      expect(kept).toMatchObject({ exit: 0, err: "", out: expect.stringContaining("Kept ANTHROPIC_API_KEY in ") });
      expect(kept.out).not.toContain(KEY);
      expect(statSync(join(daemon.home, "keys.json")).mode & 0o777).toBe(0o600);
      expect(await daemon.run(["send", "alice", "hi again", "--wait"])).toMatchObject({
        exit: 0,
        out: expect.stringContaining("Hello from the model."),
      });
      expect(model.requests.at(-1)?.headers["x-api-key"]).toBe(KEY);
      expect(readFileSync(join(daemon.home, "logs/daemon.log"), "utf8")).not.toContain(KEY);
      expect(await daemon.json(["providers"])).toMatchObject({
        providers: expect.arrayContaining([expect.objectContaining({ name: "anthropic", ready: true })]),
      });

      expect(await daemon.run(["logout", "anthropic"])).toMatchObject({ exit: 0 });
      expect((await daemon.run(["send", "alice", "and now?", "--wait"])).exit).toBe(1);
    },
  );

  it("that only my terminal has is named by status, doctor and the run that fails [begin.keys]", PATIENT, async () => {
    await using daemon = await startCommandedDaemon({ files: { ".agents/alice.yaml": ALICE } });
    const env = { ANTHROPIC_API_KEY: KEY };
    const onlyHere = /ANTHROPIC_API_KEY is set in this terminal, and the daemon /;
    const { out: status } = await daemon.run(["status"], { env });
    expect(status).toMatch(onlyHere);
    expect(status).toContain("agent-worker login anthropic");
    expect((await daemon.run(["doctor"], { env })).out).toMatch(onlyHere);
    const failed = await daemon.run(["send", "alice", "hi", "--wait"], { env });
    expect(failed.err).toMatch(onlyHere);
    expect(`${status}${failed.err}`).not.toContain(KEY);
    expect((await daemon.run(["status"])).out).not.toContain("ANTHROPIC_API_KEY");
  });

  it("goes into the keyring of the system when there is one that gives it back [begin.login]", PATIENT, async () => {
    using folder = commandFolder({ "bin/secret-tool": SECRET_TOOL });
    chmodSync(folder.in("bin/secret-tool"), 0o755);
    const PATH = `${folder.in("bin")}:${process.env["PATH"]}`;
    const env = { PATH, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", KEYRING: folder.in("ring") };
    const kept = await folder.run(["login", "openai", "--json"], { env, input: KEY });
    expect(JSON.parse(kept.out)).toEqual({ provider: "openai", variable: "OPENAI_API_KEY", place: "keyring" });
    expect(readFileSync(folder.in(".agent-worker/keys.json"), "utf8")).not.toContain(KEY);
    expect(readFileSync(folder.in("ring"), "utf8")).toBe(KEY);
    expect((await folder.run(["providers"], { env })).out).toMatch(/^openai +ready/m);
    await folder.run(["logout", "openai"], { env });
    expect(existsSync(folder.in("ring"))).toBe(false);
    // A keyring that does not give it back is none.
    const broken = await folder.run(["login", "openai", "--json"], {
      env: { ...env, KEYRING: "/nowhere/ring" },
      input: KEY,
    });
    expect(JSON.parse(broken.out)).toMatchObject({ place: "file" });
  });

  it("is not taken as an argument, when it is empty, or for a provider that does not exist [begin.login]", async () => {
    using folder = commandFolder();
    expect((await folder.run(["login", "anthropic", KEY])).exit).toBe(2);
    expect((await folder.run(["login", "anthropic"], { input: "\n" })).exit).toBe(2);
    expect(await folder.run(["login", "antropic"], { input: KEY })).toMatchObject({
      exit: 2,
      err: expect.stringContaining("Did you mean anthropic?"),
    });
    expect(existsSync(folder.in(".agent-worker/keys.json"))).toBe(false);
  });
});

describe("another model", () => {
  it("is one command away, and the next run uses it [terminal.model]", PATIENT, async () => {
    await using model = await startFakeModelServer(() => ({ text: "Hello." }));
    await using daemon = await startCommandedDaemon({
      files: {
        ".agents/alice.yaml": `# my agent\n${ALICE}`,
        ".workflows/w.yaml": "agents:\n  bob: { backend: mock, prompt: { system: Hi. } }\n",
      },
      env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY },
    });
    const used = async (): Promise<unknown> => {
      expect(await daemon.run(["send", "alice", "hi", "--wait"])).toMatchObject({ exit: 0 });
      return model.requests.at(-1)?.body;
    };
    expect(await used()).toMatchObject({ model: "claude-x" });
    const edit = ["agent", "edit", "alice", "--model", "anthropic/claude-y"];
    expect(await daemon.run(edit)).toMatchObject({
      exit: 0,
      out: /alice uses anthropic\/claude-y from its next run on/,
    });
    expect(readFileSync(join(daemon.project, ".agents/alice.yaml"), "utf8")).toBe(
      `# my agent\n${ALICE}`.replace("claude-x", "claude-y"),
    );
    expect(await used()).toMatchObject({ model: "claude-y" });
    expect(await daemon.run(edit)).toMatchObject({ exit: 0, out: "alice uses anthropic/claude-y already.\n" });
    expect((await daemon.run(["agent", "edit", "alica", "--model", "x"])).err).toContain("alice");
    expect((await daemon.run(["agent", "edit", "alice", "--model", " "])).exit).toBe(2);
    await daemon.run(["start", "w"]);
    const inside = await daemon.run(["agent", "edit", "bob@w", "--model", "x"]);
    expect(inside).toMatchObject({ exit: 3, err: expect.stringContaining("Edit the file of its workflow") });
    await daemon.run(["new", "tim", "--backend", "mock"]);
    expect((await daemon.run(["agent", "edit", "tim", "--model", "x"])).err).toContain("made with new");
  });
});

describe("the package of a provider", () => {
  const AGENT =
    'name: bob\nmodel: groq/fake\nprompt: { system: Help. }\nprovider: { name: groq, base_url: "http://127.0.0.1:9", api_key: $KEY }\n';

  it(
    "that is missing is one command away, which works at once for the daemon [begin.add-provider]",
    PATIENT,
    async () => {
      await using daemon = await startCommandedDaemon({
        files: { ".agents/bob.yaml": AGENT },
        env: { KEY: "x" },
      });
      const add = "agent-worker providers add groq";
      expect((await daemon.run(["send", "bob", "hi", "--wait"])).err).toContain(add);
      expect((await daemon.run(["doctor"], { env: { KEY: "x" } })).out).toContain(add);
      expect((await daemon.run(["providers"])).out).toContain(add);

      const bin = join(daemon.home, "bin");
      mkdirSync(bin);
      writeFileSync(join(bin, "npm"), NPM);
      chmodSync(join(bin, "npm"), 0o755);
      const env = { PATH: `${bin}:/bin:/usr/bin` };
      const added = await daemon.run(["providers", "add", "groq"], { env });
      expect(added).toMatchObject({ exit: 0, out: expect.stringContaining("Installed @ai-sdk/groq 4.9.9") });
      const { err } = await daemon.run(["send", "bob", "hi", "--wait"]);
      expect(err).toContain("The stand-in for groq was called.");
      expect(await daemon.run(["providers", "add", "openai"])).toMatchObject({ exit: 0, out: /part of the program/ });
      expect((await daemon.run(["providers", "add", "grok"])).err).toContain("groq");
    },
  );

  it(
    "that only the project has gets my key after I have seen that, and never replaces mine [begin.find-provider]",
    PATIENT,
    async () => {
      using folder = commandFolder({
        ".agents/bob.yaml": AGENT,
        ".agents/ann.yaml": "name: ann\nmodel: openai/fake\nprompt: { system: Help. }\n",
        "node_modules/@ai-sdk/groq/package.json": '{ "name": "@ai-sdk/groq", "main": "index.js" }',
        "node_modules/@ai-sdk/groq/index.js": STAND_IN,
        "node_modules/@ai-sdk/openai/package.json": '{ "name": "@ai-sdk/openai", "main": "index.js" }',
        "node_modules/@ai-sdk/openai/index.js": "throw new Error('of the project')",
      });
      const listed = JSON.parse((await folder.run(["providers", "--json"])).out) as { providers: { name: string }[] };
      const placeOf = (name: string) => listed.providers.find((each) => each.name === name);
      expect(placeOf("groq")).toMatchObject({ installed: true, place: "project" });
      expect(placeOf("openai")).toMatchObject({ installed: true, place: "program" });
      const env = { AGENT_WORKER_TRUST: "", AGENT_WORKER_PORT: "0" };
      try {
        const { out, err } = await folder.run(["trust"], { env });
        const shown = `${out}${err}`;
        expect(shown).toContain("give its key to the package @ai-sdk/groq that is in the project");
        expect(shown).not.toContain("@ai-sdk/openai");
      } finally {
        await folder.run(["daemon", "stop"], { env });
      }
    },
  );
});

const SECRET_TOOL = `#!/bin/sh
case "$1" in
  store) cat > "$KEYRING" ;;
  lookup) cat "$KEYRING" ;;
  clear) rm -f "$KEYRING" ;;
esac
`;
const STAND_IN = `exports.createGroq = () => () => { throw new Error("The stand-in for groq was called."); };`;
const NPM = `#!/bin/sh
for word in "$@"; do [ "$last" = --prefix ] && prefix="$word"; last="$word"; done
[ "$last" = "@ai-sdk/groq@^4" ] || exit 1
mkdir -p "$prefix/node_modules/@ai-sdk/groq"
cd "$prefix/node_modules/@ai-sdk/groq" || exit 1
echo '{ "name": "@ai-sdk/groq", "version": "4.9.9", "main": "index.js" }' > package.json
cat > index.js <<'END'
${STAND_IN}
END
`;
