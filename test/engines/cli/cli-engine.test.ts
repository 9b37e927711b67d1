import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { temporaryRoot } from "../../../src/engines/process/process-reaper.ts";
import { EngineFailure, type SessionSpec } from "../../../src/ports/engine.ts";
import { endOf, failureOf, openSession, stepOf, textOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools } from "../../../src/testing/recording-tools.ts";
import { plainAgent, plainEngine } from "../../support/engine/plain-cli.ts";
import { processGone } from "../../support/process/process-gone.ts";
import { spawnSupport } from "../../support/process/spawned.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

type Options = Parameters<typeof plainEngine>[2] & {
  readonly spec?: Partial<SessionSpec>;
  readonly agent?: Partial<AgentDefinition>;
  readonly prompt?: string;
  readonly signal?: AbortSignal;
};

async function run(folder: TemporaryFolder, script: string, options: Options = {}) {
  const { spec, agent, prompt = "Go.", signal, ...more } = options;
  const engine = plainEngine(folder.path, script, more);
  const started = { engine, agent: { ...plainAgent, ...agent }, cwd: folder.path };
  await using session = await openSession(started, recordingTools(), spec);
  return await stepOf(session, 1, prompt, signal);
}

const failing = async (...args: Parameters<typeof run>): Promise<EngineFailure> => {
  const failure = await failureOf(() => run(...args));
  if (failure instanceof EngineFailure) return failure;
  throw failure;
};

async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (pid > 0) return pid;
    await pause(10);
  }
}

const DONE = `echo '{"done":"Fine.","session":"s-1"}'`;

describe("a turn of a command line", () => {
  it("gets its prompt by standard input and its system prompt in a file, and leaves nothing [engine.long-prompt]", async () => {
    using folder = temporaryFolder();
    const script = [
      `echo "$@" > args; cat > prompt; cp "$2" system`,
      `stat -c %a "$2" "$(dirname "$2")" "$(dirname "$(dirname "$2")")" > modes`,
      DONE,
    ].join("\n");
    const prompt = `é${"word ".repeat(60_000)}end`;
    const system = "rule ".repeat(60_000);
    const end = endOf(await run(folder, script, { prompt, spec: { system } }));
    expect(end).toMatchObject({ text: "Fine.", finished: true, waitsFor: null });
    expect(readFileSync(folder.in("prompt"), "utf8")).toBe(prompt);
    expect(readFileSync(folder.in("system"), "utf8")).toBe(system);
    expect(readFileSync(folder.in("modes"), "utf8").split("\n").slice(0, 3)).toEqual(["600", "700", "700"]);
    const args = readFileSync(folder.in("args"), "utf8");
    expect(args.length).toBeLessThan(300);
    expect(existsSync(args.split(" ")[1]?.trim() ?? "")).toBe(false);
  });

  it("sees only what it may of the environment, and whom it works for [engine.env-allow-list]", async () => {
    using folder = temporaryFolder();
    const env = { DAEMON_SECRET: "x", CLAUDECODE: "1", CLAUDE_CODE_SSE_PORT: "1", PLAIN_KEY: "k", TEAM: "blue" };
    await run(folder, `env > env\n${DONE}`, {
      env,
      agent: { env: { STYLE: "$TEAM" } },
      spec: { endpoint: { url: "http://127.0.0.1:1/mcp", token: "t-1" } },
    });
    const seen = readFileSync(folder.in("env"), "utf8").split("\n");
    expect(seen).toEqual(expect.arrayContaining(["PLAIN_KEY=k", "PLAIN_QUIET=1", "STYLE=blue"]));
    expect(seen).toEqual(expect.arrayContaining(["AGENT_WORKER_URL=http://127.0.0.1:1", "AGENT_WORKER_TOKEN=t-1"]));
    expect(seen.filter((line) => /DAEMON_SECRET|CLAUDE|TEAM/.test(line))).toEqual([]);
  });

  it("is read whole however its bytes come, past anything that is no event [engine.stream-damage]", async () => {
    using folder = temporaryFolder();
    const lines = [
      "no json",
      '{"strange":[1]}',
      "",
      '{"text":"naïve 🙂 "}',
      '{"text":"text"}',
      "\\u0000",
      '{"done":"naïve 🙂"}',
    ];
    const script = `#!/usr/bin/env node
      const next = (bytes) => {
        if (bytes.length === 0) return;
        process.stdout.write(bytes.subarray(0, 1), () => setImmediate(next, bytes.subarray(1)));
      };
      next(Buffer.from(${JSON.stringify(lines.join("\r\n"))}));`;
    const events = await run(folder, script);
    expect(textOf(events)).toBe("naïve 🙂 text");
    expect(endOf(events).text).toBe("naïve 🙂");
  });

  it.each([
    ["ends well without a result", `echo '{"text":"half"}'`, /ended with code 0 without a result/],
    ["ends badly after a result", `${DONE}; echo 'boom' >&2; exit 3`, /ended with code 3 without a result: boom/],
    ["is killed", `echo '{"text":"half"}'; kill -SEGV $$`, /was killed by SIGSEGV/],
    ["is cut off in its last word", `printf '{"done":"Fi'`, /without a result/],
    ["writes a line without end", "head -c 40000000 /dev/zero | tr '\\0' x", /line of more than 32 MB/],
  ])("that %s has crashed [engine.error-result] [engine.stream-damage]", async (_what, script, message) => {
    using folder = temporaryFolder();
    const failure = await failing(folder, script);
    expect(failure).toMatchObject({ class: "crash" });
    expect(failure.message).toMatch(message);
  });

  it("that ends with words about the login is not tried again, and the prompt is in no message", async () => {
    using folder = temporaryFolder();
    const failure = await failing(folder, "echo 'Error: not logged in' >&2; exit 1", { prompt: "Our secret plan." });
    expect(failure).toMatchObject({ class: "permanent" });
    expect(failure.message).toBe("Plain: Error: not logged in. Log in with: plain login.");
  });

  it.each([
    ["from the start", "", /said nothing within 0.3 s/],
    ["in the middle", `echo '{"text":"one"}';`, /fell silent for 0.3 s/],
  ])("that is silent %s is ended with all it started [engine.timeouts]", async (_when, before, message) => {
    using folder = temporaryFolder();
    const script = `${before} sleep 300 & echo $! > pid; wait`;
    const failure = await failing(folder, script, { timeouts: { startMs: 300, idleMs: 300 } });
    expect(failure).toMatchObject({ class: "crash" });
    expect(failure.message).toMatch(message);
    expect(await processGone(await pidIn(folder.in("pid")))).toBe(true);
  });

  it("that takes longer than its turn may is ended, and the reason names the setting [trouble.timeouts]", async () => {
    using folder = temporaryFolder();
    const script = `while :; do echo '{"text":"one"}'; sleep 0.05; done`;
    const failure = await failing(folder, script, { timeouts: { turnMs: 400 } });
    expect(failure.message).toMatch(/was not finished within 0.4 s \(timeouts.step\)/);
  });

  it("is ended with its grandchildren when it is aborted, also if they do not want to [engine.abort]", async () => {
    using folder = temporaryFolder();
    const stop = new AbortController();
    const reason = new Error("enough");
    const script = `trap '' TERM; sh -c "trap '' TERM; echo \\$\\$ > pid; while :; do sleep 1; done" & wait`;
    const step = failureOf(() => run(folder, script, { signal: stop.signal }));
    const pid = await pidIn(folder.in("pid"));
    stop.abort(reason);
    expect(await step).toBe(reason);
    expect(await processGone(pid)).toBe(true);
    expect(readdirSync(await temporaryRoot())).toEqual([]);
  });

  it("is ended when nobody wants to know how it goes on", async () => {
    using folder = temporaryFolder();
    const engine = plainEngine(folder.path, `echo $$ > pid; echo '{"text":"one"}'; sleep 300`);
    await using session = await openSession({ engine, agent: plainAgent, cwd: folder.path }, recordingTools());
    for await (const event of session.step({ number: 1, prompt: "Go." }, new AbortController().signal)) {
      expect(event).toEqual({ type: "text", text: "one" });
      break;
    }
    expect(await processGone(await pidIn(folder.in("pid")))).toBe(true);
  });

  it("does not pile up what a slow reader has not read yet", async () => {
    using folder = temporaryFolder();
    const script = `yes '{"text":"x"}' | head -n 40000; echo wrote > wrote; ${DONE}`;
    const engine = plainEngine(folder.path, script);
    await using session = await openSession({ engine, agent: plainAgent, cwd: folder.path }, recordingTools());
    const events = session.step({ number: 1, prompt: "Go." }, new AbortController().signal)[Symbol.asyncIterator]();
    await events.next();
    await pause(500);
    expect(existsSync(folder.in("wrote"))).toBe(false);
    let count = 1;
    for (let next = await events.next(); next.done !== true; next = await events.next()) count += 1;
    expect(count).toBe(40_001);
  });
});

describe("the session of a command line [engine.resume]", () => {
  const script = `echo "$@" >> args; ${DONE}`;
  const resumed = (folder: TemporaryFolder) =>
    readFileSync(folder.in("args"), "utf8")
      .trim()
      .split("\n")
      .map((line) => / --resume (.*)$/.exec(line)?.[1] ?? null);

  it("is gone on with by this run and by the next one, under the same system prompt only", async () => {
    using folder = temporaryFolder();
    const { transcript } = endOf(await run(folder, script));
    await run(folder, script, { spec: { transcript } });
    await run(folder, script, { spec: { previous: async () => transcript } });
    await run(folder, script, { spec: { previous: async () => transcript, system: "You are somebody else." } });
    await run(folder, script, { spec: { previous: async () => transcript.replace("claude", "codex") } });
    await run(folder, script, { spec: { previous: async () => "[]" } });
    expect(resumed(folder)).toEqual([null, "s-1", "s-1", null, null, null]);
  });

  it("is begun anew once when the program does not know it any more", async () => {
    using folder = temporaryFolder();
    const { transcript } = endOf(await run(folder, script));
    const forgetful = `echo "$@" >> args; case "$*" in *--resume*) echo '{"lost":true}'; exit 1;; esac; ${DONE}`;
    expect(endOf(await run(folder, forgetful, { spec: { previous: async () => transcript } })).text).toBe("Fine.");
    expect(resumed(folder)).toEqual([null, "s-1", null]);
    const failure = await failing(folder, `echo "$@" >> args; echo '{"lost":true}'`, { spec: { transcript } });
    expect(failure).toMatchObject({ class: "permanent" });
    expect(resumed(folder)).toEqual([null, "s-1", null, "s-1", null]);
  });
});

describe("an agent that can never run on a command line", () => {
  it("for want of the program is told how to get it, at once [engine.missing-binary]", async () => {
    using folder = temporaryFolder();
    const failure = await failing(folder, DONE, { env: { PATH: "relative:/nonexistent" }, prompt: "Our secret plan." });
    expect(failure).toMatchObject({ class: "permanent" });
    expect(failure.message).toBe('Plain is not installed: there is no "plain" on PATH. Install it with: make plain.');
  });

  it.each<[string, Options, RegExp]>([
    ["a folder that is not there", { spec: { cwd: "/no/such/folder" } }, /does not exist: \/no\/such\/folder/],
    ["a variable that is not set", { agent: { env: { A: "$NO_SUCH" } } }, /NO_SUCH is not set/],
    [
      "an address in its variables",
      { agent: { env: { PLAIN_BASE_URL: "http://evil" } } },
      /"PLAIN_BASE_URL" cannot be set/,
    ],
    [
      "code to load in the variables of a server",
      { agent: { mcpServers: { s: { command: "x", env: { NODE_OPTIONS: "--import=./evil.mjs" } } } } },
      /"NODE_OPTIONS" cannot be set/,
    ],
    ["an address without a key", { agent: { provider: { name: "x", baseUrl: "http://evil" } } }, /no api_key/],
    ["a key that is not set", { agent: { provider: { name: "x", apiKeyEnv: "NO_KEY" } } }, /NO_KEY is not set/],
    ["a server with the team's name", { agent: { mcpServers: { "agent-worker": { url: "http://x" } } } }, /Rename it/],
  ])("for %s says so", async (_why, options, message) => {
    using folder = temporaryFolder();
    const failure = await failing(folder, DONE, options);
    expect(failure).toMatchObject({ class: "permanent" });
    expect(failure.message).toMatch(message);
  });
});

describe("a machine without free descriptors", () => {
  it("costs no try: it waits until there are some", async () => {
    // What it makes it cannot delete either.
    using folder = temporaryFolder();
    await using host = spawnSupport("plain-cli-without-descriptors.ts", [], { env: { TMPDIR: folder.path } });
    expect(await host.line("failed")).toBe("failed scarcity");
  });
});
