import type { RunEvent } from "../../contract/service/work-request.ts";
import { awaitedVotes } from "../../operations/ballots/open-ballots.ts";
import type { RunningProject } from "../running-project.ts";

/** Emits what a workspace waits for each time voters were reminded: in a run, that is when nothing else is left to do. */
export function reportWaiting(
  { events, store }: RunningProject,
  space: string,
  emit: (event: RunEvent) => void,
): Disposable {
  let ended = false;
  const report = async (): Promise<void> => {
    const awaited = await store.read((reads) => awaitedVotes(reads, space));
    if (!ended && awaited.length > 0) emit({ type: "votes_awaited", for: awaited });
  };
  const observing = events.observe((published) => {
    const reminded = published.some((event) => event.type === "ballot.reminded" && event.space === space);
    // What cannot be read is left out; reading the result of the request fails for the same reason.
    if (reminded) void report().catch(() => {});
  });
  return {
    [Symbol.dispose]() {
      ended = true;
      observing[Symbol.dispose]();
    },
  };
}
