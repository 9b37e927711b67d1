import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { createSdkEngine, type SdkEngineOptions } from "../../../src/engines/sdk/sdk-engine.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { systemRandom } from "../../../src/kernel/random.ts";
import type { Engine } from "../../../src/ports/engine.ts";
import type { Protocol } from "./fake-model-server/script.ts";

/** What the tests of the sdk engine share: an engine on the real clock, and agents that talk to the fake model server. */
export const KEY = "sk-test-0123456789abcdef";
export const environment = { PATH: process.env.PATH, HOME: tmpdir(), TEST_KEY: KEY };

export function startEngine(options: Partial<SdkEngineOptions> = {}): Engine {
  return createSdkEngine({
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    env: environment,
    poolSize: 1,
    ...options,
  });
}

export const PROTOCOLS: readonly Protocol[] = ["anthropic-messages", "openai-chat", "openai-responses"];

const PROVIDERS: Readonly<Record<Protocol, string>> = {
  "anthropic-messages": "anthropic",
  "openai-chat": "openai-compatible",
  "openai-responses": "openai",
};

export function agentOn(url: string, protocol: Protocol, more: Partial<AgentDefinition> = {}): AgentDefinition {
  return {
    name: "alice",
    prompt: { system: "unused" },
    model: "fake-model",
    provider: { name: PROVIDERS[protocol], baseUrl: `${url}/v1`, apiKeyEnv: "TEST_KEY" },
    ...more,
  };
}

interface ProcessStatus {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

function processes(): ProcessStatus[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state = "", parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid: Number(name), parent: Number(parent), state, command }];
      } catch {
        return [];
      }
    });
}

/** Processes this test started and that are still there, zombies included. */
export function childProcesses(): number[] {
  return processes()
    .filter(({ parent, command, state }) => parent === process.pid && (state === "Z" || command.includes("worker")))
    .map(({ pid }) => pid);
}

export function isRunning(pid: number): boolean {
  return processes().some((one) => one.pid === pid && one.state !== "Z");
}

export function environmentOf(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}
