import { useMemo } from "preact/hooks";
import type { BallotView } from "../../../../src/contract/ballots.ts";
import type { MessageView } from "../../../../src/contract/messages.ts";
import { announcesBallot } from "../../state/channel-decisions.ts";
import type { ShownDecision } from "../../state/decision-list.ts";
import { useQuery } from "../../state/page-context.ts";

/** Returns the ballots of a workspace that are over, by the id of the notice that opened them. */
export function useDecidedBallots(space: string, messages: readonly MessageView[]): ReadonlyMap<string, ShownDecision> {
  const listed = useQuery(
    `ballots ${space}`,
    async (daemon) =>
      space.startsWith("@") ? daemon.call("list-ballots", { target: space, all: true, limit: 500 }) : undefined,
    ["ballots"],
  );
  const ballots = listed?.ok === true ? listed.value.ballots : undefined;
  return useMemo(() => {
    const over = (ballots ?? []).filter(({ state }) => state !== "open");
    return new Map(
      over.flatMap((ballot): [string, ShownDecision][] => {
        const notice = messages.find((message) => announcesBallot(message, ballot.id));
        return notice === undefined ? [] : [[notice.id, asEnded(ballot)]];
      }),
    );
  }, [ballots, messages]);
}

function asEnded(view: BallotView): ShownDecision {
  const item = { kind: "ballot", id: view.id, at: view.openedAt, view } as const;
  return { item, outcome: { text: "The vote is over.", decidedAt: 0 }, again: false };
}
