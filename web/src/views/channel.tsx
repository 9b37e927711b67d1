import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MessageView } from "../../../src/contract/message.ts";
import type { Trouble } from "../connection/daemon.ts";
import { usePage, useTeam } from "../page-context.ts";
import { groupMessages, mergeMessages } from "../team/message-list.ts";
import { createRefresher, type Refresher } from "../team/refresher.ts";
import { dayOf } from "../text/moment.ts";
import { spaceName } from "../text/space-name.ts";
import { Composer } from "./composer.tsx";
import { DraftMessage, Message } from "./message.tsx";
import { Nothing, TroubleBox } from "./parts.tsx";
import { SpaceHeader } from "./space-header.tsx";

const FIRST_PAGE = 100;
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
  const version = useTeam(({ spaces }) => spaces.get(space) ?? 0);
  const known = useRef<readonly MessageView[]>([]);
  const limit = useRef(FIRST_PAGE);
  const refresher = useRef<Refresher>(undefined);
  const take = async (since: number | undefined): Promise<number> => {
    const page = await daemon.ask("peek-channel", {
      target: space,
      limit: since === undefined ? limit.current : MOST,
      ...(since === undefined ? {} : { since }),
    });
    if (!page.ok) {
      setTrouble(page.error);
      return 0;
    }
    known.current = mergeMessages(known.current, page.value.messages);
    setTrouble(undefined);
    setMessages(known.current);
    return page.value.messages.length;
  };
  useEffect(() => {
    const made = createRefresher(async () => {
      while ((await take(known.current.at(-1)?.seq)) === MOST);
    }, 50);
    refresher.current = made;
    made.refresh();
    return () => made.stop();
  }, [daemon, space]);
  useEffect(() => {
    if (version > 0) refresher.current?.refresh();
  }, [version]);
  const earlier = async (): Promise<void> => {
    limit.current = MOST;
    await take(undefined);
  };
  const mayHaveEarlier = limit.current === FIRST_PAGE && (messages?.length ?? 0) >= FIRST_PAGE;
  return { messages, trouble, earlier, mayHaveEarlier };
}

function Messages({ space }: { readonly space: string }) {
  const { messages, trouble, earlier, mayHaveEarlier } = useMessages(space);
  const all = useTeam(({ drafts }) => drafts);
  const drafts = [...all.values()].filter((draft) => draft.space === space);
  const groups = useMemo(() => groupMessages(messages ?? [], dayOf), [messages]);
  const { list, behind, onScroll, toEnd } = useScrollEnd([groups, all]);

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

const NEAR_END = 80;

/** Stays at the end when it is there, and otherwise lets the reader read. */
function useScrollEnd(changes: readonly unknown[]) {
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [behind, setBehind] = useState(false);
  const toEnd = (): void => {
    const { current } = list;
    if (current !== null) current.scrollTop = current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
    else setBehind(true);
  }, changes);
  const onScroll = (): void => {
    const { current } = list;
    if (current === null) return;
    atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_END;
    if (atEnd.current) setBehind(false);
  };
  return { list, behind, onScroll, toEnd };
}
