import type { MessageView } from "../../../../src/contract/messages.ts";
import { Empty, Link, Loaded } from "../../parts/elements.tsx";
import { Message } from "../../parts/message.tsx";
import { SpaceHeader } from "../../parts/space-header.tsx";
import { useQuery } from "../../state/page-context.ts";
import { relatedMessages } from "../../state/message-list.ts";
import type { Daemon, DaemonResult } from "../../connection/daemon.ts";
import { countOf } from "../../text/figures.ts";

/** So many messages before and after the one are looked at. */
const AROUND = 250;

/** The messages that led to one message, and those it led to. */
export function RelatedMessages({ space, message }: { readonly space: string; readonly message: number }) {
  const loaded = useQuery(`related ${space} ${message}`, (daemon) => loadAround(daemon, space, message), ["messages"]);
  return (
    <div class="view">
      <SpaceHeader space={space} view="channel" />
      <Loaded result={loaded}>
        {(messages) => {
          const related = relatedMessages(messages, message);
          const root = related[0]?.message;
          if (root === undefined) return <Empty>This message is not there any more.</Empty>;
          return (
            <>
              <p class="dim">
                {countOf(related.length, "message")} that belong together.{" "}
                <Link to={{ view: "channel", space, message }}>In the channel</Link>,{" "}
                <Link to={{ view: "chain", id: root.id }}>who woke whom</Link>
              </p>
              <div role="log" aria-label="Related messages">
                {related.map((each) => (
                  <div key={each.message.id} class={`in-related depth-${Math.min(each.depth, 6)}`}>
                    <Message message={each.message} continued={false} named={each.message.seq === message} />
                  </div>
                ))}
              </div>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

async function loadAround(daemon: Daemon, target: string, seq: number): Promise<DaemonResult<readonly MessageView[]>> {
  const before = await daemon.call("peek-channel", { target, before: seq + 1, limit: AROUND });
  if (!before.ok) return before;
  const after = await daemon.call("peek-channel", { target, since: seq, limit: AROUND });
  return after.ok ? { ok: true, value: [...before.value.messages, ...after.value.messages] } : after;
}
