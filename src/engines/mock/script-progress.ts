import { createHash } from "node:crypto";
import type { MockScript, MockTurn } from "../../domain/agent/mock-script.ts";
import type { SessionSpec } from "../../ports/engine.ts";

/**
 * Which turns of their scripts the agents have played, and how often a step has failed. Kept in memory: after a restart
 * a script begins anew, except for runs that go on from their transcript. An agent has one progress per workspace,
 * told apart by the system prompt, which is the same for the same agent and workspace.
 */
export interface ScriptProgress {
  /** The first turn in order that fits and is not played, with what its condition found. Changes nothing. */
  choose(
    script: MockScript,
    text: string,
  ): { readonly turn: number; readonly found: Readonly<Record<string, string>> } | null;
  /** A turn counts as played from its first finished step on: one that was cut off before is played again. */
  played(turn: number): void;
  /** A turn that repeats fails anew each time. */
  finished(turn: number): void;
  /** True as long as the step has failures left; counts this one. */
  fails(turn: number, step: number, times: number): boolean;
}

const MAX_AGENTS = 1_000;

export function createProgressBook(): (spec: SessionSpec) => ScriptProgress {
  const book = new Map<string, ScriptProgress>();
  return ({ agent, cwd, system }) => {
    const key = createHash("sha256")
      .update(JSON.stringify([agent.name, agent.model, cwd, system]))
      .digest("base64");
    const progress = book.get(key) ?? createProgress();
    book.delete(key);
    book.set(key, progress);
    for (const oldest of book.keys()) {
      if (book.size <= MAX_AGENTS) break;
      book.delete(oldest);
    }
    return progress;
  };
}

function createProgress(): ScriptProgress {
  const used = new Set<number>();
  const failures = new Map<number, Map<number, number>>();
  return {
    choose: ({ turns }, text) => {
      for (const [turn, { when, repeat }] of turns.entries()) {
        const found = used.has(turn) && repeat !== true ? null : findIn(text, when);
        if (found !== null) return { turn, found };
      }
      return null;
    },
    played: (turn) => void used.add(turn),
    finished: (turn) => void failures.delete(turn),
    fails: (turn, step, times) => {
      const counts = failures.get(turn) ?? new Map<number, number>();
      failures.set(turn, counts);
      const failed = counts.get(step) ?? 0;
      counts.set(step, failed + 1);
      return failed < times;
    },
  };
}

function findIn(text: string, when: MockTurn["when"]): Readonly<Record<string, string>> | null {
  if (when === undefined) return {};
  if (typeof when === "string") return text.includes(when) ? {} : null;
  const match = new RegExp(when.source, when.flags.replaceAll(/[gy]/g, "")).exec(text);
  return match === null ? null : { ...match.groups };
}
