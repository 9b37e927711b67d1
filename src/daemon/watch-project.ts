import type { RecordedEvent } from "../domain/event.ts";
import type { LiveEvent } from "../runtime/live-events.ts";
import type { LiveProject } from "./live-project.ts";

/** What somebody who watches a workspace is shown, in order. */
export type WatchEvent =
  | {
      readonly type: "message";
      readonly from: string;
      readonly to: string | null;
      readonly kind: string;
      readonly content: string;
    }
  | { readonly type: "tool"; readonly agent: string; readonly tool: string; readonly args: unknown }
  | { readonly type: "tool-failed"; readonly agent: string; readonly tool: string; readonly content: string }
  | { readonly type: "setup"; readonly text: string };

/**
 * Tells what happens in a space: messages once they are committed, tools as they are called. Messages are read from the
 * store by their event, so what is shown is what was kept.
 */
export function watchSpace(project: LiveProject, space: string, show: (event: WatchEvent) => void): AsyncDisposable {
  let telling: Promise<void> = Promise.resolve();
  const tell = (what: () => Promise<void> | void): void => {
    telling = telling.then(what).catch(() => {});
  };
  const onRecorded = (event: RecordedEvent): void => {
    if (event.type !== "message.posted" || event.space !== space) return;
    tell(async () => {
      const message = await project.readIn(space, (store) => store.messages.byId(event.message));
      if (message === undefined) return;
      show({ type: "message", from: message.sender, to: message.addressee, kind: message.kind, content: message.body });
    });
  };
  const onLive = (event: LiveEvent): void => {
    if (event.space !== space) return;
    if (event.type === "tool-call")
      tell(() => show({ type: "tool", agent: event.agent, tool: event.tool, args: event.args }));
    if (event.type === "tool-result" && event.isError) {
      tell(() => show({ type: "tool-failed", agent: event.agent, tool: event.tool, content: event.content }));
    }
  };
  const recorded = project.events.observe((events) => events.forEach(onRecorded));
  const live = project.runtime.live.observe((events) => events.forEach(onLive));
  return {
    async [Symbol.asyncDispose]() {
      recorded[Symbol.dispose]();
      live[Symbol.dispose]();
      await telling;
    },
  };
}
