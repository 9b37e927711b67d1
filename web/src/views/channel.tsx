import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MessageView } from "../../../src/contract/messages.ts";
import type { DaemonError } from "../connection/daemon.ts";
import { Composer } from "../parts/composer.tsx";
import { Empty, ErrorBox, Link } from "../parts/elements.tsx";
import { DraftMessage, Message } from "../parts/message.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";
import { Waits } from "../parts/waits.tsx";
import { placeDecisions } from "../state/channel-decisions.ts";
import type { ShownDecision } from "../state/decision-list.ts";
import { groupMessages, mergeMessages } from "../state/message-list.ts";
import { usePage, useTeam } from "../state/page-context.ts";
import { createRefresher, type Refresher } from "../state/refresher.ts";
import { useChannelDecisions } from "../state/use-channel-decisions.ts";
import type { WaitingDecisions } from "../state/waiting-decisions.ts";
import { currentSpace, spaceName } from "../text/space-name.ts";
import { dayName, dayOf } from "../text/time.ts";
import { DecidedApproval, useDecidedApprovals } from "./decisions/decided-approval.tsx";
import { CardOf } from "./decisions/card-of.tsx";

const PAGE = 100;
const MAX_PAGE = 500;

/** The messages of a workspace, or of the direct messages with one agent, live. */
export function Channel({
  space,
  named,
  waiting,
}: {
  readonly space: string;
  /** The sequence number of the message that the address names. */
  readonly named: number | undefined;
  readonly waiting: WaitingDecisions | undefined;
}) {
  const { team } = usePage();
  useEffect(() => {
    team.setVisibleSpace(space);
    return () => team.setVisibleSpace(undefined);
  }, [team, space]);
  const workspace = useTeam(({ workspaces }) => workspaces.find((each) => each.space === space));
  const names = workspace?.participants ?? [];
  const current = currentSpace(space);
  const isEarlier = current !== space;
  const closed = workspace?.state === "closed";
  return (
    <div class="channel-view">
      <SpaceHeader space={space} view="channel" />
      <Messages key={`${space} ${workspace?.instance ?? ""}`} space={space} named={named} waiting={waiting} />
      {isEarlier ? (
        <p class="closed-note">
          This is an earlier instance: it can only be read.{" "}
          <Link to={{ view: "channel", space: current }}>The current one</Link>
        </p>
      ) : closed ? (
        <p class="closed-note">This workspace is closed. What was said stays here.</p>
      ) : (
        <Composer
          key={space}
          target={space}
          names={names}
          placeholder={space.startsWith("@") ? `Say something in ${spaceName(space)}` : `Write to ${space}`}
        />
      )}
    </div>
  );
}

/** Loads the messages of a space and keeps them current. Pages are requested by sequence number, so none is missing. */
function useMessages(space: string) {
  const { daemon } = usePage();
  const [messages, setMessages] = useState<readonly MessageView[]>();
  const [error, setError] = useState<DaemonError>();
  const [mayHaveEarlier, setMayHaveEarlier] = useState(false);
  const version = useTeam(({ spaces }) => spaces.get(space) ?? 0);
  const loaded = useRef<readonly MessageView[]>([]);
  const loading = useRef(false);
  const refresher = useRef<Refresher>(undefined);
  const loadPage = async (
    part: { readonly since?: number; readonly before?: number },
    limit: number,
  ): Promise<"full" | "last" | "failed"> => {
    const page = await daemon.call("peek-channel", { target: space, limit, ...part });
    if (!page.ok) {
      setError(page.error);
      return "failed";
    }
    const isFull = page.value.messages.length === limit;
    loaded.current = mergeMessages(loaded.current, page.value.messages);
    if (part.since === undefined) setMayHaveEarlier(isFull);
    setError(undefined);
    setMessages(loaded.current);
    return isFull ? "full" : "last";
  };
  useEffect(() => {
    const created = createRefresher(async () => {
      const loadNew = () => loadPage({ since: loaded.current.at(-1)?.seq ?? 0 }, MAX_PAGE);
      const isFirst = loaded.current.length === 0;
      let page = await (isFirst ? loadPage({}, PAGE) : loadNew());
      while (!isFirst && page === "full") page = await loadNew();
      return page === "failed" ? "incomplete" : "complete";
    }, 50);
    refresher.current = created;
    created.refresh();
    return () => created.stop();
  }, [daemon, space]);
  useEffect(() => {
    if (version > 0) refresher.current?.refresh();
  }, [version]);
  const loadEarlier = async (): Promise<void> => {
    const first = loaded.current[0]?.seq;
    if (loading.current || !mayHaveEarlier || first === undefined) return;
    loading.current = true;
    await loadPage({ before: first }, PAGE);
    loading.current = false;
  };
  return { messages, error, loadEarlier, mayHaveEarlier };
}

function Messages({ space, named, waiting }: Parameters<typeof Channel>[0]) {
  const { messages, error, loadEarlier, mayHaveEarlier } = useMessages(space);
  const all = useTeam(({ drafts }) => drafts);
  const drafts = [...all.values()].filter((draft) => draft.space === space);
  const groups = useMemo(() => groupMessages(messages ?? [], dayOf), [messages]);
  const { decisions, onOutcome } = useChannelDecisions(waiting, space);
  const { instead, after } = useMemo(
    () => placeDecisions(messages ?? [], decisions, mayHaveEarlier),
    [messages, decisions, mayHaveEarlier],
  );
  const past = useDecidedApprovals(space, messages ?? []);
  const waits = useTeam((state) => state.waits).filter((each) => each.space === space && each.approval === null);
  const card = (decision: ShownDecision) => (
    <CardOf
      key={`${decision.item.kind} ${decision.item.id}`}
      decision={decision}
      onOutcome={(text) => onOutcome(decision.item, text)}
    />
  );
  const { list, behind, onScroll, toEnd } = useScroll(
    messages?.[0]?.seq,
    [groups, all, decisions, waits.length],
    () => void loadEarlier(),
  );

  useNamedMessage(list, named, messages, mayHaveEarlier, loadEarlier);
  if (error !== undefined && messages === undefined) return <ErrorBox error={error} />;
  return (
    <div class="messages-frame">
      <div class="messages" ref={list} onScroll={onScroll} tabIndex={0} role="log" aria-label={`Messages in ${space}`}>
        {mayHaveEarlier ? (
          <button type="button" class="link" onClick={() => void loadEarlier()}>
            Earlier messages
          </button>
        ) : null}
        {messages?.length === 0 && drafts.length === 0 ? <Empty>Nothing was said here yet.</Empty> : null}
        {groups.map(({ day, message, continued }) => (
          <div key={message.id}>
            {day === undefined ? null : (
              <p class="day">
                <span>{dayName(day)}</span>
              </p>
            )}
            {instead.has(message.id) ? (
              [instead.get(message.id)].map((decision) => decision && card(decision))
            ) : past.has(message.id) ? (
              [past.get(message.id)].map((approval) => approval && <DecidedApproval key="past" approval={approval} />)
            ) : (
              <Message message={message} continued={continued} named={message.seq === named} />
            )}
            {after.get(message.id)?.map(card)}
          </div>
        ))}
        {drafts.map((draft) => (
          <DraftMessage key={draft.run} draft={draft} />
        ))}
        {waits.length === 0 ? null : (
          <div class="card" role="group" aria-label="Who waits">
            <Waits waits={waits} />
          </div>
        )}
      </div>
      {behind ? (
        <button type="button" class="to-end" onClick={toEnd}>
          Newest messages ↓
        </button>
      ) : null}
    </div>
  );
}

/** Loads pages until the named message is there, and scrolls to it once. */
function useNamedMessage(
  list: { readonly current: HTMLElement | null },
  named: number | undefined,
  messages: readonly MessageView[] | undefined,
  mayHaveEarlier: boolean,
  loadEarlier: () => Promise<void>,
): void {
  const shown = useRef<number>(undefined);
  useLayoutEffect(() => {
    const first = messages?.[0]?.seq;
    if (named === undefined || first === undefined || shown.current === named) return;
    const found = list.current?.querySelector(`[data-seq="${named}"]`);
    if (found instanceof HTMLElement) {
      shown.current = named;
      found.scrollIntoView({ block: "center" });
    } else if (named < first && mayHaveEarlier) void loadEarlier();
  }, [named, messages, mayHaveEarlier]);
}

const NEAR_PX = 80;

function isDeciding(list: Element): boolean {
  return list.querySelector(".decision:is(:hover, :focus-within)") !== null;
}

/**
 * Keeps the list scrolled to the end if it was at the end. Otherwise the visible messages stay in place, also when
 * earlier ones are loaded above, which happens near the beginning. `first` identifies the first message.
 */
function useScroll(first: number | undefined, changes: readonly unknown[], onBeginning: () => void) {
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const last = useRef<{ readonly first: number | undefined; readonly height: number }>({ first, height: 0 });
  const [behind, setBehind] = useState(false);
  const toEnd = (): void => {
    const { current } = list;
    if (current !== null) current.scrollTop = current.scrollHeight;
  };
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    // A card under the pointer stays there: it may be about to be decided.
    if (atEnd.current && !isDeciding(current)) toEnd();
    else if (first === last.current.first) setBehind(true);
    else current.scrollTop += current.scrollHeight - last.current.height;
    last.current = { first, height: current.scrollHeight };
  }, changes);
  const onScroll = (): void => {
    const { current } = list;
    if (current === null) return;
    atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    last.current = { ...last.current, height: current.scrollHeight };
    if (atEnd.current) setBehind(false);
    else if (current.scrollTop < NEAR_PX) onBeginning();
  };
  return { list, behind, onScroll, toEnd };
}
