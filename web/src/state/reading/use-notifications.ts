import { useEffect, useRef } from "preact/hooks";
import { countOf } from "../../text/figures.ts";
import { spaceName } from "../../text/space-name.ts";
import { notifyPerson } from "./notifications.ts";
import { useTeam } from "../page-context.ts";
import { hrefOf } from "../route.ts";

/** Tells the person of new mentions, and of decisions that began to wait. */
export function useNotifications(awaiting: number | undefined): void {
  const unread = useTeam((state) => state.unread);
  const mentions = useRef<ReadonlyMap<string, number>>(undefined);
  const waited = useRef<number>(undefined);
  useEffect(() => {
    const now = new Map([...unread].map(([space, each]) => [space, each.mentions]));
    for (const [space, count] of now) {
      const before = mentions.current?.get(space) ?? 0;
      if (mentions.current !== undefined && count > before) {
        notifyPerson(`You are mentioned in ${spaceName(space)}.`, hrefOf({ view: "channel", space }));
      }
    }
    mentions.current = now;
  }, [unread]);
  useEffect(() => {
    if (awaiting === undefined) return;
    if (waited.current !== undefined && awaiting > waited.current) {
      notifyPerson(`${countOf(awaiting, "decision")} waiting for you.`, hrefOf({ view: "decisions" }));
    }
    waited.current = awaiting;
  }, [awaiting]);
}
