import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { UNKNOWN_USAGE } from "../../../src/domain/budget/usage.ts";
import type { CliDialect, CliOutcome } from "../../../src/engines/cli/cli-dialect.ts";
import { createCliEngine, type CliEngineOptions } from "../../../src/engines/cli/cli-engine.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import type { Engine } from "../../../src/ports/engine.ts";

/**
 * The simplest command line there can be, to see what the base does with any of them: a script that prints
 * {"text": ...} while it works and {"done": ..., "session": ...} or {"lost": true} at its end.
 */
export const plainDialect: CliDialect = {
  name: "claude",
  title: "Plain",
  program: "plain",
  install: "Install it with: make plain",
  login: "Log in with: plain login",
  passes: ["PLAIN_*"],
  sets: { PLAIN_QUIET: "1" },
  command: ({ system, prompt, session, folder }) => ({
    args: ["--system", join(folder, "in/system.md"), ...(session === null ? [] : ["--resume", session])],
    stdin: prompt,
    files: { "in/system.md": system },
  }),
  reader: () => {
    let outcome: CliOutcome | null = null;
    return {
      line: (line) => {
        let said: Readonly<Record<string, unknown>>;
        try {
          said = JSON.parse(line) as Readonly<Record<string, unknown>>;
        } catch {
          return [];
        }
        if (typeof said.done === "string") {
          const session = typeof said.session === "string" ? said.session : null;
          outcome = { kind: "result", text: said.done, session, usage: UNKNOWN_USAGE };
        }
        if (said.lost === true) {
          outcome = { kind: "failure", class: "permanent", message: "no such session", sessionUnusable: true };
        }
        return typeof said.text === "string" ? [{ type: "text", text: said.text }] : [];
      },
      end: () => outcome,
    };
  },
  probe: {
    versionArgs: ["--version"],
    keys: ["PLAIN_KEY"],
    status: { args: ["status"], loggedIn: (output) => output.includes("in as") },
  },
};

export const plainAgent: AgentDefinition = { name: "alice", prompt: { system: "unused" }, backend: "claude" };

/** Puts the program onto a PATH of its own. A script without `#!` is one of sh. */
export function installProgram(folder: string, name: string, script: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), script.startsWith("#!") ? script : `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  return `${bin}:${process.env.PATH ?? ""}`;
}

export function plainEngine(folder: string, script: string, options: Partial<CliEngineOptions> = {}): Engine {
  const PATH = installProgram(folder, "plain", script);
  const env = { PATH, HOME: folder, ...options.env };
  return createCliEngine(plainDialect, { clock: systemClock, log: silentLog, ...options, env });
}
