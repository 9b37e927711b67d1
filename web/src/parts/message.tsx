import { useState } from "preact/hooks";
import type { MessageView } from "../../../src/contract/messages.ts";
import type { ResourcePageView } from "../../../src/contract/resources.ts";
import type { DaemonResult } from "../connection/daemon.ts";
import type { Draft } from "../state/draft.ts";
import { usePage, useTeam } from "../state/page-context.ts";
import { countOf } from "../text/figures.ts";
import { isChainStop, noticeText } from "../text/notice-text.ts";
import { ActionButton, Avatar, Badge, Link, Name, Timestamp } from "./elements.tsx";
import { plainLine } from "../text/plain-line.ts";
import { RichText } from "./rich-text.tsx";
import { RunCalls } from "./run-calls.tsx";
import { ToolCalls } from "./tool-calls.tsx";

const KINDS: Readonly<Record<string, string>> = {
  kickoff: "kickoff",
  notice: "notice",
  prompt: "schedule",
  grant: "grant",
  revoke: "revoke",
};

export function Message({
  message,
  continued,
  named,
  cause,
}: {
  readonly message: MessageView;
  readonly continued: boolean;
  /** The address names this message. */
  readonly named: boolean;
  /** The message that led to it, if that is known here. */
  readonly cause?: MessageView | undefined;
}) {
  const { from, to, kind, content, resource, mentions, at, run } = message;
  const label = KINDS[kind];
  if (from === "system" && isChainStop(content)) return <LimitCard message={message} />;
  return (
    <article
      class={`message ${kind} ${continued ? "goes-on" : ""} ${from === "user" ? "mine" : ""} ${named ? "named" : ""}`}
      data-id={message.id}
      data-seq={message.seq}
    >
      {continued ? null : <Avatar name={from} />}
      {continued ? null : (
        <header>
          {from === "user" ? <span class="name user">You</span> : <Name name={from} />}
          {to === null ? null : (
            <span class="dim">
              to <Name name={to} />
            </span>
          )}
          {label === undefined ? null : <span class="kind">{label}</span>}
          <Link to={{ view: "channel", space: message.space, message: message.seq }} class="dim permalink">
            <Timestamp at={at} />
          </Link>
          {cause === undefined ? null : (
            <Link to={{ view: "related", space: message.space, message: message.seq }} class="dim cause">
              ↩ {cause.from === "user" ? "you" : cause.from}: {excerptOf(cause.content)}
            </Link>
          )}
        </header>
      )}
      <Content text={from === "system" ? noticeText(content) : content} mentions={mentions} resource={resource} />
      {run === null || kind === "notice" ? null : <RunCalls run={run} />}
    </article>
  );
}

const EXCERPT_CHARS = 60;

function excerptOf(text: string): string {
  const line = plainLine(text.split("\n").find((each) => each.trim() !== "") ?? "");
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS).trimEnd()}…` : line;
}

/** A limit ended a chain of messages: a person decides whether it goes on. */
function LimitCard({ message }: { readonly message: MessageView }) {
  return (
    <article class="card decision limit" aria-label="A limit was reached" data-id={message.id} data-seq={message.seq}>
      <p>
        <Badge kind="warn">limit</Badge>{" "}
        <Link to={{ view: "channel", space: message.space, message: message.seq }} class="dim permalink">
          <Timestamp at={message.at} />
        </Link>
      </p>
      <RichText text={noticeText(message.content)} />
      <GoOn message={message} />
    </article>
  );
}

/** After a limit a new message begins a new chain. In a channel the person says who goes on. */
function GoOn({ message: { space } }: { readonly message: MessageView }) {
  const { daemon, notify, unsent } = usePage();
  const [sending, setSending] = useState(false);
  const goOn = async (): Promise<void> => {
    if (space.startsWith("@")) {
      if (unsent.get(space).text.trim() === "") unsent.change(space, { text: "@all go on", idempotencyKey: undefined });
      document.getElementById("composer")?.focus();
      return;
    }
    setSending(true);
    const sent = await daemon.call("send-message", { to: space, message: "go on" });
    setSending(false);
    notify(sent.ok ? `${space} goes on.` : sent.error.message, sent.ok ? "good" : "bad");
  };
  return (
    <p class="actions">
      <ActionButton label={space.startsWith("@") ? "Go on…" : "Go on"} disabled={sending} onClick={goOn} />
    </p>
  );
}

/** The channel has only a preview of a large message; the whole text is loaded on request. */
function Content({ text, mentions, resource }: Pick<MessageView, "mentions" | "resource"> & { readonly text: string }) {
  const { daemon, notify } = usePage();
  const [whole, setWhole] = useState<string>();
  const [reading, setReading] = useState(false);
  const read = async (id: string): Promise<void> => {
    setReading(true);
    let content = "";
    for (let offset: number | null = 0; offset !== null;) {
      const page: DaemonResult<ResourcePageView> = await daemon.call("read-resource", { id, offset });
      if (!page.ok) {
        notify(page.error.message, "bad");
        break;
      }
      content += page.value.content;
      offset = page.value.next;
      if (offset === null) setWhole(content);
    }
    setReading(false);
  };
  return (
    <>
      <RichText text={whole ?? text} mentions={mentions} />
      {resource === null || whole !== undefined ? null : (
        <button type="button" class="link" disabled={reading} onClick={() => void read(resource)}>
          {reading ? "Reading…" : "Show all of it"}
        </button>
      )}
    </>
  );
}

/** A message that is being written. Screen readers announce only the finished message. */
export function DraftMessage({ draft }: { readonly draft: Draft }) {
  const isBlocked = useTeam(({ blocked }) => blocked.has(draft.run));
  return (
    <article class="message draft" aria-live="off">
      <Avatar name={draft.agent} />
      <header>
        <Name name={draft.agent} />
        <Link to={{ view: "run", run: draft.run }} class="dim">
          {isBlocked ? "waits for your approval" : "is at work"}
          {draft.calls.length === 0 ? "" : `, ${countOf(draft.calls.length, "tool call")}`}
        </Link>
        {isBlocked ? null : (
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
        )}
      </header>
      {draft.calls.length === 0 ? null : <ToolCalls calls={draft.calls} />}
      {draft.text.trim() === "" ? null : <RichText text={draft.text} />}
    </article>
  );
}
