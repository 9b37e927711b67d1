import { describe, expect, it } from "vitest";
import type { ApprovalView } from "../../../src/contract/approvals.ts";
import type { DeliveryView } from "../../../src/contract/inbox.ts";
import {
  applyOutcome,
  applyWaiting,
  NO_DECISIONS,
  showHeld,
  type DecisionList,
} from "../../../web/src/state/decision-list.ts";
import { loadDecisions, type DecisionItem, type WaitingDecisions } from "../../../web/src/state/waiting-decisions.ts";
import type { Daemon } from "../../../web/src/connection/daemon.ts";

function approval(second: number): DecisionItem {
  const requestedAt = new Date(second * 1000).toISOString();
  const view = { id: `apr_${second}`, requestedAt } as ApprovalView;
  return { kind: "approval", id: view.id, at: requestedAt, view };
}

function deadLetter(reason: string): DecisionItem {
  const view = { id: "dlv_1", reason } as DeliveryView;
  return { kind: "dead", id: view.id, at: new Date(0).toISOString(), view };
}

function waiting(items: readonly DecisionItem[], more: Partial<WaitingDecisions> = {}): WaitingDecisions {
  return { items, unknown: new Set(), awaiting: items.length, requestedAt: 0, ...more };
}

const ids = ({ shown }: DecisionList): readonly string[] => shown.map(({ item }) => item.id);
const outcomes = ({ shown }: DecisionList): readonly (string | undefined)[] =>
  shown.map(({ outcome }) => outcome?.text);
const [first, second, third] = [approval(1), approval(2), approval(3)];

describe("[ui.decision-clicks] the list of decisions", () => {
  it("holds back what arrives while something waits on the screen, until the person asks for it", () => {
    const begun = applyWaiting(NO_DECISIONS, waiting([first]));
    const later = applyWaiting(begun, waiting([first, second, third]));
    expect(ids(later)).toEqual(["apr_1"]);
    expect(later.held).toEqual([second, third]);
    const all = showHeld(later);
    expect([ids(all), all.held]).toEqual([["apr_1", "apr_2", "apr_3"], []]);
  });

  it("shows what arrives at once when nothing waits on the screen, after what was decided", () => {
    const decided = applyOutcome(applyWaiting(NO_DECISIONS, waiting([second])), second, {
      text: "Done.",
      decidedAt: 1,
    });
    const later = applyWaiting(decided, waiting([first, third], { requestedAt: 2 }));
    expect(ids(later)).toEqual(["apr_2", "apr_1", "apr_3"]);
    expect(outcomes(later)).toEqual(["Done.", undefined, undefined]);
    const held = applyWaiting(applyWaiting(NO_DECISIONS, waiting([first])), waiting([first, second]));
    expect(ids(applyOutcome(held, first, { text: "Done.", decidedAt: 1 }))).toEqual(["apr_1", "apr_2"]);
  });

  it("keeps the place of what was decided here or elsewhere", () => {
    const begun = applyWaiting(NO_DECISIONS, waiting([first, second, third]));
    const here = applyOutcome(begun, second, { text: "Approved.", decidedAt: 1 });
    const later = applyWaiting(here, waiting([third], { requestedAt: 2 }));
    expect(ids(later)).toEqual(["apr_1", "apr_2", "apr_3"]);
    expect(outcomes(later)).toEqual([expect.stringContaining("decided elsewhere"), "Approved.", undefined]);
  });

  it("does not take a list that could not be loaded for an empty one", () => {
    const begun = applyWaiting(applyWaiting(NO_DECISIONS, waiting([first])), waiting([first, second]));
    const later = applyWaiting(begun, waiting([], { unknown: new Set(["approval"] as const) }));
    expect([outcomes(later), later.held]).toEqual([[undefined], [second]]);
    expect(applyWaiting(begun, waiting([first])).held).toEqual([]);
  });

  it("opens a card again when a retry has failed again, and not because of an answer from before", () => {
    const begun = applyWaiting(NO_DECISIONS, waiting([deadLetter("no model")]));
    const retried = applyOutcome(begun, deadLetter("no model"), { text: "Once more.", decidedAt: 10 });
    expect(applyWaiting(retried, waiting([deadLetter("no model")], { requestedAt: 9 }))).toEqual(retried);
    const again = applyWaiting(retried, waiting([deadLetter("still none")], { requestedAt: 11 }));
    expect(again.shown).toEqual([{ item: deadLetter("still none"), outcome: undefined, again: true }]);
  });
});

describe("[ui.decisions] what waits for a person", () => {
  const listed = {
    approvals: [first.view, second.view, third.view],
    deadLetters: [{ id: "dlv_1", message: { at: new Date(1500).toISOString() } }],
    souls: [],
    memories: [],
    ballots: [{ id: "bal_1", openedAt: new Date(2500).toISOString(), missing: ["rita"] }],
    suggestions: [{ id: "sug_1", at: new Date(500).toISOString() }],
    awaiting: 5,
  };
  const daemonThat = (answer: unknown, asked: string[] = []): Daemon =>
    ({
      call: async (operation: string) => {
        asked.push(operation);
        return answer;
      },
    }) as unknown as Daemon;

  it("[ui.one-request] is loaded with one request, oldest first", async () => {
    const asked: string[] = [];
    const loaded = await loadDecisions(daemonThat({ ok: true, value: listed }, asked));
    expect(asked).toEqual(["list-decisions"]);
    expect(loaded.items.map(({ id }) => id)).toEqual(["sug_1", "apr_1", "dlv_1", "apr_2", "bal_1", "apr_3"]);
    expect([loaded.awaiting, loaded.unknown.size]).toEqual([5, 0]);
  });

  it("is unknown, and not nothing, when it could not be loaded", async () => {
    const loaded = await loadDecisions(daemonThat({ ok: false, error: { code: "internal", message: "No." } }));
    expect(loaded.awaiting).toBe(undefined);
    expect([...loaded.unknown].toSorted()).toEqual(["approval", "ballot", "dead", "memory", "soul", "suggestion"]);
  });
});
