import { useState } from "preact/hooks";
import type { MessageView } from "../../../src/contract/messages.ts";
import type { ResourcePageView } from "../../../src/contract/resources.ts";
import type { DaemonResult } from "../connection/daemon.ts";
import type { Draft } from "../state/draft.ts";
import { usePage, useTeam } from "../state/page-context.ts";
import { countOf } from "../text/figures.ts";
import { isChainStop, noticeText, withoutNamedIds } from "../text/notice-text.ts";
import { RepeatedQuestion } from "./run/repeated-question.tsx";
import { isRepeatedQuestion } from "../state/runs/repeated-question.ts";
import { Avatar, Link, Name, Timestamp } from "./elements.tsx";
import { LimitCard } from "./limits/limit-card.tsx";
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
  quote,
  isOver = false,
}: {
  readonly message: MessageView;
  readonly continued: boolean;
  /** The address names this message. */
  readonly named: boolean;
  /** The message that led to it, if that is known here. */
  readonly cause?: MessageView | undefined;
  /** What people call a message, by its id; undefined when it is not known here. */
  readonly quote?: (id: string) => string | undefined;
  /** Of a limit: the person has written since. */
  readonly isOver?: boolean;
}) {
  const { from, to, kind, content, resource, mentions, at, run } = message;
  const label = KINDS[kind];
  if (from === "system" && isChainStop(content)) return <LimitCard message={message} isOver={isOver} />;
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
              ↩ {cause.from === "user" ? "you" : cause.from}:{" "}
              {isRepeatedQuestion(cause) ? "asked again" : excerptOf(cause.content)}
            </Link>
          )}
        </header>
      )}
      {isRepeatedQuestion(message) ? (
        <RepeatedQuestion message={message} />
      ) : (
        <>
          <Content
            text={from === "system" ? noticeText(content, quote) : from === "user" ? content : withoutNamedIds(content)}
            mentions={mentions}
            resource={resource}
          />
          {run === null || kind === "notice" ? null : <RunCalls run={run} />}
        </>
      )}
    </article>
  );
}

const EXCERPT_CHARS = 60;

export function excerptOf(text: string): string {
  const line = plainLine(
    withoutNamedIds(text)
      .split("\n")
      .find((each) => each.trim() !== "") ?? "",
  );
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS).trimEnd()}…` : line;
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
