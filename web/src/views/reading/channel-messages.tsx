import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { UnreadView } from "../../../../src/contract/reading/unread.ts";
import { ErrorBox, Link } from "../../parts/elements.tsx";
import { DraftMessage, excerptOf, Message } from "../../parts/message.tsx";
import { Waits } from "../../parts/waits.tsx";
import { placeDecisions } from "../../state/channel-decisions.ts";
import type { ShownDecision } from "../../state/decision-list.ts";
import type { Draft } from "../../state/draft.ts";
import { groupMessages } from "../../state/message-list.ts";
import type { MessageWindow } from "../../state/reading/message-window.ts";
import { usePage, useTeam } from "../../state/page-context.ts";
import { useAnchoredScroll } from "../../state/reading/use-anchored-scroll.ts";
import { useChannelDecisions } from "../../state/use-channel-decisions.ts";
import { useMessages } from "../../state/reading/use-messages.ts";
import type { WaitingDecisions } from "../../state/waiting-decisions.ts";
import { countOf } from "../../text/figures.ts";
import { dayName, dayOf } from "../../text/time.ts";
import { CardOf } from "../decisions/card-of.tsx";
import { DecidedApproval, useDecidedApprovals } from "../decisions/decided-approval.tsx";
import { useDecidedBallots } from "../decisions/decided-ballots.ts";
import { FirstMessage } from "./first-message.tsx";

const EMPTY: MessageWindow = { messages: [], hasEarlier: false, hasLater: false };

interface ChannelMessagesProps {
  readonly space: string;
  /** The sequence number of the message that the address names. */
  readonly named: number | undefined;
  readonly waiting: WaitingDecisions | undefined;
  /** There is no such space. */
  readonly onMissing: () => void;
}

/** The messages of a space with the cards that wait in it. A few pages are in the page at a time. */
export function ChannelMessages({ space, named, waiting, onMissing }: ChannelMessagesProps) {
  const isAtEnd = useRef(named === undefined);
  const { window: loaded, error, loadEarlier, loadLater, loadNewest } = useMessages(space, named, isAtEnd);
  const window = loaded ?? EMPTY;
  const isMissing = loaded === undefined && error !== undefined && error.code !== "unavailable";
  useEffect(() => {
    if (isMissing) onMissing();
  }, [isMissing]);
  const { messages, hasEarlier, hasLater } = window;
  const all = useTeam(({ drafts }) => drafts);
  // The message of a run comes a moment before its draft goes: it is shown once.
  const isSent = ({ run, text }: Draft): boolean =>
    text.trim() !== "" && messages.some((each) => each.run === run && each.content.trim() === text.trim());
  const runs = useTeam((state) => state.runs);
  const blocked = useTeam((state) => state.blocked);
  // What a run wrote before the page was loaded is not known, but that it waits is.
  const silent = runs
    .filter(({ id }) => blocked.has(id) && !all.has(id))
    .map(({ id: run, agent, space: place }): Draft => ({ run, agent, space: place, text: "", calls: [] }));
  const drafts = hasLater
    ? []
    : [...all.values(), ...silent].filter((draft) => draft.space === space && !isSent(draft));
  const groups = useMemo(() => groupMessages(messages, dayOf), [messages]);
  const { decisions, onOutcome } = useChannelDecisions(waiting, space);
  const { instead, after } = useMemo(
    () => placeDecisions(messages, within(decisions, window), hasEarlier),
    [messages, decisions, hasEarlier, hasLater],
  );
  const past = useDecidedApprovals(space, messages);
  const over = useDecidedBallots(space, messages);
  const waits = useTeam((state) => state.waits).filter((each) => each.space === space && each.approval === null);
  const firstNew = useFirstNew(space, window, isAtEnd);
  const card = (decision: ShownDecision) => (
    <CardOf
      key={`${decision.item.kind} ${decision.item.id}`}
      decision={decision}
      onOutcome={(text) => onOutcome(decision.item, text)}
    />
  );
  const { list, behind, onScroll, scrollToEnd, remember } = useAnchoredScroll(
    isAtEnd,
    [groups, all, decisions, waits.length, past, over],
    { hasLater, onBeginning: () => void loadEarlier(), onEnd: () => void loadLater() },
  );
  const toEnd = async (): Promise<void> => {
    isAtEnd.current = true;
    if (hasLater) await loadNewest();
    scrollToEnd();
  };
  useNamedMessage(list, named, messages, isAtEnd, remember);
  const newSeq = firstNew.seq;
  const quote = (id: string): string | undefined => {
    const found = messages.find((message) => message.id === id);
    return found === undefined ? undefined : `"${excerptOf(found.content)}"`;
  };
  const lastOwn = messages.findLast(({ from }) => from === "user")?.seq ?? 0;
  if (error !== undefined && loaded === undefined) {
    return (
      <div class="messages-frame">
        <div class="messages">
          <ErrorBox error={error} next={{ label: "Go to the overview", to: { view: "overview" } }} />
        </div>
      </div>
    );
  }
  return (
    <div class="messages-frame">
      {firstNew.above ? (
        <Link class="to-new" to={{ view: "channel", space, message: firstNew.readTo }}>
          ↑ {countOf(firstNew.count, "new message")}
        </Link>
      ) : null}
      <div class="messages" ref={list} onScroll={onScroll} tabIndex={0} role="log" aria-label={`Messages in ${space}`}>
        <div class="rows">
          {hasEarlier ? (
            <button type="button" class="link" onClick={() => void loadEarlier()}>
              Earlier messages
            </button>
          ) : null}
          {loaded === undefined ? <LoadingMessages /> : null}
          {loaded !== undefined && messages.length === 0 && drafts.length === 0 ? <FirstMessage space={space} /> : null}
          {groups.map(({ day, message, continued }) => (
            <div key={message.id} data-row={message.seq}>
              {day === undefined ? null : (
                <p class="day">
                  <span>{dayName(day)}</span>
                </p>
              )}
              {message.seq === newSeq ? (
                <p class="day new-line" role="separator">
                  <span>New</span>
                </p>
              ) : null}
              {instead.has(message.id) ? (
                [instead.get(message.id)].map((decision) => decision && card(decision))
              ) : over.has(message.id) ? (
                [over.get(message.id)].map((ballot) => ballot && card(ballot))
              ) : past.has(message.id) ? (
                [past.get(message.id)].map((approval) => approval && <DecidedApproval key="past" approval={approval} />)
              ) : (
                <Message
                  message={message}
                  continued={continued && message.seq !== newSeq}
                  named={message.seq === named}
                  cause={messages.find(({ id }) => id === message.cause)}
                  quote={quote}
                  isOver={lastOwn > message.seq}
                />
              )}
              {after.get(message.id)?.map(card)}
            </div>
          ))}
          {drafts.map((draft) => (
            <DraftMessage key={draft.run} draft={draft} />
          ))}
          {waits.length === 0 || hasLater ? null : (
            <div class="card" role="group" aria-label="Who waits">
              <Waits waits={waits} />
            </div>
          )}
        </div>
      </div>
      {behind ? (
        <button type="button" class="to-end" onClick={() => void toEnd()}>
          Newest messages ↓
        </button>
      ) : null}
    </div>
  );
}

/** As many lines as a few messages have, so that a slow network shows what will be there. */
function LoadingMessages() {
  return (
    <div class="loading-messages" role="status" aria-busy="true" aria-label="Loading messages">
      <div class="loading" />
      <div class="loading" />
      <div class="loading" />
    </div>
  );
}

/** A decision that belongs after the last message of the part is not placed there: more messages are between. */
function within(decisions: readonly ShownDecision[], { messages, hasLater }: MessageWindow): readonly ShownDecision[] {
  const last = messages.at(-1);
  if (!hasLater || last === undefined) return decisions;
  return decisions.filter(({ item }) => Date.parse(item.at) <= Date.parse(last.at));
}

/** Marks what the person sees as read, and returns where the new messages began when the space was opened. */
function useFirstNew(space: string, { messages, hasLater }: MessageWindow, isAtEnd: { readonly current: boolean }) {
  const { team } = usePage();
  const unread = useTeam((state) => state.unread).get(space);
  const isKnown = useTeam((state) => state.unreadKnown);
  /** Null: there was nothing new. What comes while the person looks on is not new. */
  const opened = useRef<UnreadView | null>(undefined);
  if (isKnown && opened.current === undefined) opened.current = unread ?? null;
  const last = messages.at(-1)?.seq;
  useEffect(() => {
    const see = (): void => {
      if (last !== undefined && isAtEnd.current && !hasLater && !document.hidden) team.markRead(space, last);
    };
    const comeBack = (): void => {
      if (document.hidden) return;
      opened.current = team.state().unread.get(space) ?? opened.current;
      see();
    };
    see();
    document.addEventListener("visibilitychange", comeBack);
    return () => document.removeEventListener("visibilitychange", comeBack);
  }, [space, last, hasLater, unread !== undefined]);
  const readTo = opened.current?.readTo;
  const firstSeq = messages[0]?.seq;
  const isNew = messages.find(({ seq, from }) => readTo !== undefined && seq > readTo && from !== "user");
  const above = readTo !== undefined && readTo > 0 && firstSeq !== undefined && firstSeq > readTo + 1;
  return {
    seq: above ? undefined : isNew?.seq,
    above,
    readTo: readTo ?? 0,
    count: opened.current?.messages ?? 0,
  };
}

/** Scrolls to the named message once it is there. */
function useNamedMessage(
  list: { readonly current: HTMLElement | null },
  named: number | undefined,
  messages: readonly unknown[],
  isAtEnd: { current: boolean },
  remember: () => void,
): void {
  const shown = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (named === undefined || shown.current === named) return;
    const found = list.current?.querySelector(`[data-row="${named}"]`);
    if (!(found instanceof HTMLElement)) return;
    shown.current = named;
    isAtEnd.current = false;
    found.scrollIntoView({ block: "center" });
    remember();
  }, [named, messages]);
}
