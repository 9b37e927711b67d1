import { createHash } from "node:crypto";
import type { MockScript, MockTurn } from "../../domain/agent/mock-script.ts";
import type { SessionSpec } from "../../ports/engine.ts";

/**
 * Which turns of its script an agent has played, and how often a step has failed. Held in memory: after a restart a
 * script starts again, except for runs that continue from their transcript. An agent has one progress per workspace,
 * identified by the system prompt, which is the same for the same agent and workspace.
 */
export interface ScriptProgress {
  /**
   * Returns the first turn in order that matches and was not played, with the groups of its condition. Changes nothing.
   */
  choose(
    script: MockScript,
    text: string,
  ): { readonly turn: number; readonly found: Readonly<Record<string, string>> } | null;
  /** A turn counts as played from its first finished step on: one interrupted before that is played again. */
  played(turn: number): void;
  /** Resets the failures of the turn, for a turn that repeats. */
  finished(turn: number): void;
  /** Counts a failure. Returns true as long as the step has failures left. */
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
