import { useState } from "preact/hooks";
import type { MessageView } from "../../../../src/contract/messages.ts";
import { reachedLimitIn } from "../../../../src/contract/text/reached-limit.ts";
import { canRaise } from "../../state/raised-limit.ts";
import { usePage } from "../../state/page-context.ts";
import { noticeText } from "../../text/notice-text.ts";
import { spaceName } from "../../text/space-name.ts";
import { ActionButton, Badge, Link, Timestamp } from "../elements.tsx";
import { RaiseLimit } from "./raise-limit.tsx";
import { RichText } from "../rich-text.tsx";

/** A limit ended a chain of messages: a person raises it, lets it go on, or leaves it. */
export function LimitCard({
  message,
  isOver,
}: {
  readonly message: MessageView;
  /** The person has written since. */
  readonly isOver: boolean;
}) {
  const { space, content } = message;
  const { daemon, notify, unsent } = usePage();
  const [sending, setSending] = useState(false);
  const [raising, setRaising] = useState(false);
  const limit = reachedLimitIn(content);
  const goOn = async (): Promise<void> => {
    setRaising(false);
    setSending(true);
    const sent = await daemon.call("send-message", { to: space, message: "go on" });
    setSending(false);
    if (!sent.ok) return notify(sent.error.message, "bad");
    if (sent.value.recipients.length > 0) return notify(`${spaceName(space)} goes on.`);
    // Nobody was stopped on the way: the person says who goes on.
    if (unsent.get(space).text.trim() === "") unsent.change(space, { text: "@all go on", idempotencyKey: undefined });
    document.getElementById("composer")?.focus();
  };
  return (
    <article class="card decision limit" aria-label="A limit was reached" data-id={message.id} data-seq={message.seq}>
      <p>
        <Badge kind="warn">limit</Badge>{" "}
        <Link to={{ view: "channel", space, message: message.seq }} class="dim permalink">
          <Timestamp at={message.at} />
        </Link>
      </p>
      <RichText text={noticeText(content)} />
      {isOver ? (
        <p class="dim">You wrote since, so it went on.</p>
      ) : raising && limit !== undefined ? (
        <RaiseLimit limit={limit} agent="" space={space} onBack={() => setRaising(false)} onRaised={goOn} />
      ) : (
        <p class="actions">
          <ActionButton label="Go on" primary disabled={sending} onClick={goOn} />
          {limit === undefined || !canRaise(limit, space) ? null : (
            <ActionButton label="Raise the limit…" disabled={sending} onClick={() => setRaising(true)} />
          )}
        </p>
      )}
    </article>
  );
}
