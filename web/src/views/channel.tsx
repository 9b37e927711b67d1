import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MessageView } from "../../../src/contract/messages.ts";
import type { Trouble } from "../connection/daemon.ts";
import { usePage, useTeam } from "../state/page-context.ts";
import { groupMessages, mergeMessages } from "../state/message-list.ts";
import { createRefresher, type Refresher } from "../state/refresher.ts";
import { dayOf } from "../text/moment.ts";
import { spaceName } from "../text/space-name.ts";
import { Composer } from "../parts/composer.tsx";
import { DraftMessage, Message } from "../parts/message.tsx";
import { Nothing, TroubleBox } from "../parts/parts.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";

const PAGE = 100;
const MOST = 500;

/** What is said in a workspace, or with one agent, as it is said. */
export function Channel({ space }: { readonly space: string }) {
  const { team } = usePage();
  useEffect(() => {
    team.lookAt(space);
    return () => team.lookAt(undefined);
  }, [team, space]);
  const workspace = useTeam(({ workspaces }) => workspaces.find((each) => each.space === space));
  const names = workspace?.participants ?? [];
  const closed = workspace?.state === "closed";
  return (
    <div class="channel-view">
      <SpaceHeader space={space} view="channel" />
      <Messages key={space} space={space} />
      {closed ? (
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

/** The messages of a space, kept up to date: asked for by number, so none is missing and none is there twice. */
function useMessages(space: string) {
  const { daemon } = usePage();
  const [messages, setMessages] = useState<readonly MessageView[]>();
  const [trouble, setTrouble] = useState<Trouble>();
  const [mayHaveEarlier, setMayHaveEarlier] = useState(false);
  const version = useTeam(({ spaces }) => spaces.get(space) ?? 0);
  const known = useRef<readonly MessageView[]>([]);
  const loading = useRef(false);
  const refresher = useRef<Refresher>(undefined);
  const take = async (part: { readonly since?: number; readonly before?: number }, limit: number): Promise<boolean> => {
    const page = await daemon.ask("peek-channel", { target: space, limit, ...part });
    if (!page.ok) {
      setTrouble(page.error);
      return false;
    }
    const isFull = page.value.messages.length === limit;
    known.current = mergeMessages(known.current, page.value.messages);
    if (part.since === undefined) setMayHaveEarlier(isFull);
    setTrouble(undefined);
    setMessages(known.current);
    return isFull;
  };
  useEffect(() => {
    const made = createRefresher(async () => {
      const last = (): number | undefined => known.current.at(-1)?.seq;
      if (last() === undefined) await take({}, PAGE);
      else while (await take({ since: last() ?? 0 }, MOST));
    }, 50);
    refresher.current = made;
    made.refresh();
    return () => made.stop();
  }, [daemon, space]);
  useEffect(() => {
    if (version > 0) refresher.current?.refresh();
  }, [version]);
  const earlier = async (): Promise<void> => {
    const first = known.current[0]?.seq;
    if (loading.current || !mayHaveEarlier || first === undefined) return;
    loading.current = true;
    await take({ before: first }, PAGE);
    loading.current = false;
  };
  return { messages, trouble, earlier, mayHaveEarlier };
}

function Messages({ space }: { readonly space: string }) {
  const { messages, trouble, earlier, mayHaveEarlier } = useMessages(space);
  const all = useTeam(({ drafts }) => drafts);
  const drafts = [...all.values()].filter((draft) => draft.space === space);
  const groups = useMemo(() => groupMessages(messages ?? [], dayOf), [messages]);
  const { list, behind, onScroll, toEnd } = useScroll(messages?.[0]?.seq, [groups, all], () => void earlier());

  if (trouble !== undefined && messages === undefined) return <TroubleBox error={trouble} />;
  return (
    <div class="messages-frame">
      <div class="messages" ref={list} onScroll={onScroll} tabIndex={0} role="log" aria-label={`Messages in ${space}`}>
        {mayHaveEarlier ? (
          <button type="button" class="link" onClick={() => void earlier()}>
            Earlier messages
          </button>
        ) : null}
        {messages?.length === 0 && drafts.length === 0 ? <Nothing>Nothing was said here yet.</Nothing> : null}
        {groups.map(({ day, message, goesOn }) => (
          <div key={message.id}>
            {day === undefined ? null : (
              <p class="day">
                <span>{day}</span>
              </p>
            )}
            <Message message={message} goesOn={goesOn} />
          </div>
        ))}
        {drafts.map((draft) => (
          <DraftMessage key={draft.run} draft={draft} />
        ))}
      </div>
      {behind ? (
        <button type="button" class="to-end" onClick={toEnd}>
          Newest messages ↓
        </button>
      ) : null}
    </div>
  );
}

const NEAR = 80;

/**
 * Stays at the end when it is there, and otherwise lets the reader read: what comes above, when the reader gets near the
 * beginning, moves nothing that is being read. `first` is the first thing there is.
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
    if (atEnd.current) toEnd();
    else if (first === last.current.first) setBehind(true);
    else current.scrollTop += current.scrollHeight - last.current.height;
    last.current = { first, height: current.scrollHeight };
  }, changes);
  const onScroll = (): void => {
    const { current } = list;
    if (current === null) return;
    atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
    last.current = { ...last.current, height: current.scrollHeight };
    if (atEnd.current) setBehind(false);
    else if (current.scrollTop < NEAR) onBeginning();
  };
  return { list, behind, onScroll, toEnd };
}
