import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import type { CliEngineOptions } from "../../../src/engines/cli/cli-engine.ts";
import { temporaryRoot } from "../../../src/engines/process/process-reaper.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import type { Engine, EngineFailure, SessionSpec, StepEvent } from "../../../src/ports/engine.ts";
import { endOf, failureOf, openSession, stepOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools, success, type RecordingTools } from "../../../src/testing/recording-tools.ts";
import { OFFLINE } from "../daemon/loopback-only.ts";
import { environmentOf, processesWith } from "../process/processes-with.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import type { FakeReply, FakeScript, FakeToolCall } from "./fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "./fake-model-server/server.ts";
import { startToolServer } from "./tool-server.ts";

/**
 * What a real command line has to do, as data: the program itself, as its makers ship it, talks to a model server of
 * ours on loopback. `AGENT_WORKER_TEST_CLIS` is the folder the programs were installed into.
 */
export const CLIS: string | undefined = process.env.AGENT_WORKER_TEST_CLIS;

export interface RealCli {
  readonly create: (options: CliEngineOptions) => Engine;
  readonly agent: (url: string) => AgentDefinition;
  /** How the model of this program asks for a tool of the team. */
  readonly call: (tool: string, args: unknown) => FakeToolCall;
  /** What the program's processes have on their command line. */
  readonly program: string;
  /** What a person may have in the home folder, by path. */
  readonly userFiles?: Readonly<Record<string, string>>;
  /** A home folder that several tests share, for a program that takes long to make itself at home. */
  readonly home?: string;
}

interface Rig extends AsyncDisposable {
  readonly server: FakeModelServer;
  readonly tools: RecordingTools;
  readonly engine: Engine;
  readonly home: string;
  /** Where it works. */
  readonly folder: string;
  /** Of the run. */
  readonly token: string;
  /** Its own: those of other tests have another home. */
  processes(): number[];
  step(prompt: string, spec?: Partial<SessionSpec>, signal?: AbortSignal): Promise<StepEvent[]>;
}

export async function startRealCli(
  cli: RealCli,
  script: FakeScript,
  env: Readonly<Record<string, string>> = {},
): Promise<Rig> {
  const folder = temporaryFolder();
  const home = cli.home ?? folder.path;
  const server = await startFakeModelServer(script);
  const tools = recordingTools({ channel_read: () => success("nothing new") });
  const endpoint = await startToolServer(tools);
  const engine = cli.create({
    clock: systemClock,
    log: silentLog,
    env: {
      ...OFFLINE,
      PATH: `${join(CLIS ?? "", "node_modules/.bin")}:${process.env.PATH ?? ""}`,
      HOME: home,
      TEST_KEY: "sk-test-0123456789abcdef",
      DAEMON_SECRET: "not-for-children",
      ...env,
    },
  });
  return {
    server,
    tools,
    engine,
    home,
    folder: folder.path,
    token: endpoint.token,
    processes: () => processesWith(cli.program).filter((pid) => environmentOf(pid).includes(`HOME=${home}`)),
    step: async (prompt, spec = {}, signal) => {
      const started = { engine, agent: cli.agent(server.url), cwd: folder.path };
      await using session = await openSession(started, tools, { endpoint, ...spec });
      return await stepOf(session, 1, prompt, signal);
    },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export function always(reply: FakeReply): FakeScript {
  return () => reply;
}

/** One after the other; the last one for everything after it. */
export function inTurn(...replies: readonly FakeReply[]): FakeScript {
  let asked = 0;
  return () => replies[Math.min(asked++, replies.length - 1)] ?? { text: "" };
}

export interface RealCliCase {
  readonly name: string;
  readonly run: (cli: RealCli) => Promise<void>;
}

const SYSTEM = "You are Alice, who reviews. Your sign is ZEBRA-QUARTZ-4711.";

export const realCliCases: readonly RealCliCase[] = [
  {
    name: "gets the system prompt and the tools of the team, calls one, and leaves the user's configuration as it is and the token nowhere [engine.system-prompt] [engine.user-config]",
    run: async (cli) => {
      await using rig = await startRealCli(
        cli,
        inTurn({ toolCalls: [cli.call("channel_read", { limit: 5 })] }, { text: ["All ", "done, Zoë."] }),
      );
      for (const [name, text] of Object.entries(cli.userFiles ?? {})) {
        mkdirSync(dirname(join(rig.home, name)), { recursive: true });
        writeFileSync(join(rig.home, name), text);
      }
      const events = await rig.step("Please look.", { system: SYSTEM });
      expect(rig.server.requests[0]?.system).toContain(SYSTEM);
      expect(rig.server.requests[0]?.tools.some(({ name }) => name.endsWith("channel_read"))).toBe(true);
      expect(JSON.stringify(rig.server.requests[0]?.messages)).toContain("Please look.");
      expect(rig.tools.calls).toMatchObject([{ tool: "channel_read", args: { limit: 5 } }]);
      const [asked] = events.filter((event) => event.type === "tool-call");
      expect(asked).toMatchObject({ tool: "channel_read", args: { limit: 5 } });
      expect(events.find((event) => event.type === "tool-result")).toMatchObject({
        id: asked?.id,
        tool: "channel_read",
        content: "nothing new",
        isError: false,
      });
      const end = endOf(events);
      expect(end).toMatchObject({ finished: true, text: "All done, Zoë." });
      expect(end.usage.inputTokens).toBe(20);
      expect(end.usage.outputTokens).toBe(10);

      for (const [name, text] of Object.entries(cli.userFiles ?? {})) {
        expect(readFileSync(join(rig.home, name), "utf8"), name).toBe(text);
      }
      const files = readdirSync(rig.home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
      for (const { parentPath, name } of files) {
        expect(readFileSync(join(parentPath, name), "latin1").includes(rig.token), name).toBe(false);
      }
      expect(readdirSync(await temporaryRoot())).toEqual([]);
    },
  },
  {
    name: "takes a prompt of 300 KB and a system prompt of 200 KB, goes on with its session, counts only the new turn, and begins anew when the session is lost [engine.long-prompt] [engine.resume]",
    run: async (cli) => {
      await using rig = await startRealCli(cli, always({ text: "Noted." }));
      const system = `${SYSTEM} ${"rule ".repeat(40_000)} END-OF-SYSTEM`;
      const prompt = `The word is MARMALADE. ${"word ".repeat(60_000)} END-OF-PROMPT`;
      const first = endOf(await rig.step(prompt, { system }));
      expect(first.text).toBe("Noted.");
      expect(rig.server.requests[0]?.system).toContain("END-OF-SYSTEM");
      const messages = JSON.stringify(rig.server.requests[0]?.messages);
      expect(messages).toContain("MARMALADE");
      expect(messages).toContain("END-OF-PROMPT");
      const second = endOf(await rig.step("Which word?", { system, previous: async () => first.transcript }));
      expect(JSON.stringify(rig.server.requests.at(-1)?.messages)).toContain("MARMALADE");
      expect(second.usage.inputTokens).toBe(first.usage.inputTokens);
      expect(second.usage.cost).toEqual(first.usage.cost);
      const lost = first.transcript.replaceAll(/[0-9a-f]{12}/g, "000000000000");
      const third = endOf(await rig.step("Hello again.", { system, previous: async () => lost }));
      expect(third.text).toBe("Noted.");
      expect(JSON.stringify(rig.server.requests.at(-1)?.messages)).not.toContain("MARMALADE");
    },
  },
  {
    name: "leaves no process behind when it is aborted [engine.abort]",
    run: async (cli) => {
      await using rig = await startRealCli(cli, always({ silence: "headers" }));
      const stop = new AbortController();
      const reason = new Error("enough");
      const step = failureOf(() => rig.step("Go.", {}, stop.signal));
      await rig.server.received(1);
      expect(rig.processes()).not.toEqual([]);
      stop.abort(reason);
      expect(await step).toBe(reason);
      expect(rig.processes()).toEqual([]);
    },
  },
  {
    name: "that is killed in the middle of a turn is a crash [engine.error-result]",
    run: async (cli) => {
      await using rig = await startRealCli(cli, always({ text: "Half an", fault: "silence" }));
      const step = failureOf(() => rig.step("Go."));
      await rig.server.received(1);
      for (const pid of rig.processes()) process.kill(pid, "SIGKILL");
      expect(await step).toMatchObject({ class: "crash" });
    },
  },
  {
    name: "that reports an error is a failure, with the login to check [engine.error-result]",
    run: async (cli) => {
      const error = { type: "authentication_error", code: "invalid_api_key", message: "Incorrect API key provided." };
      await using rig = await startRealCli(cli, always({ status: 401, error }));
      const failure = (await failureOf(() => rig.step("My secret plan."))) as EngineFailure;
      expect(failure).toMatchObject({ name: "EngineFailure", class: "permanent" });
      expect(failure.message).toMatch(/log in with/i);
      expect(failure.message).not.toContain("My secret plan");
    },
  },
  {
    name: "is not started when it is not installed [engine.missing-binary]",
    run: async (cli) => {
      await using rig = await startRealCli(cli, always({ text: "Never." }), { PATH: "/nonexistent" });
      const failure = (await failureOf(() => rig.step("My secret plan."))) as EngineFailure;
      expect(failure).toMatchObject({ class: "permanent" });
      expect(failure.message).toMatch(/is not installed.*npm install -g/);
      expect(failure.message).not.toContain("My secret plan");
    },
  },
];
