import type { RunEvent, UsageFigures, WaitingRun } from "../../contract/service/work-request.ts";
import { clockTime } from "./clock-time.ts";
import { moneyText, tokenText } from "./usage-text.ts";

/** Who works in a request, for how long, what it has used, and what waits: in one line. */
export interface RunStatus {
  follow(event: RunEvent): void;
  /** Null when nobody works and nothing waits. */
  text(now: number): string | null;
}

export function trackRunStatus(now: () => number): RunStatus {
  const working = new Map<string, number>();
  const waiting = new Map<string, WaitingRun>();
  const used = new Map<string, UsageFigures>();
  return {
    follow(event) {
      if (event.type === "message") working.delete(event.from);
      else if (event.type === "waiting") {
        working.delete(event.agent);
        waiting.set(event.agent, event);
      } else if ("agent" in event) {
        waiting.delete(event.agent);
        if (!working.has(event.agent)) working.set(event.agent, now());
        if (event.type === "step" && event.usage !== undefined) used.set(event.run, event.usage);
      }
    },
    text(at) {
      const parts = [
        ...[...working].map(([agent, since]) => `${agent} works, ${Math.max(0, Math.round((at - since) / 1000))} s`),
        ...[...waiting.values()].map(({ agent, waitsFor, until }) => {
          return `${agent} waits for ${waitsFor}${until === null ? "" : ` until ${clockTime(until, at)}`}`;
        }),
      ];
      return parts.length === 0 ? null : [...parts, ...usageParts([...used.values()])].join(", ");
    },
  };
}

/** Unknown figures are left out. */
function usageParts(used: readonly UsageFigures[]): string[] {
  const tokens = used.reduce((sum, each) => sum + (each.inputTokens ?? 0) + (each.outputTokens ?? 0), 0);
  const cost = used.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  return [
    ...(tokens === 0 ? [] : [`${tokenText(tokens)} tokens so far`]),
    ...(cost === 0
      ? []
      : [
          moneyText(
            cost,
            used.some(({ costEstimated }) => costEstimated),
          ),
        ]),
  ];
}
