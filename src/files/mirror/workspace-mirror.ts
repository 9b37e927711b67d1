import type { RecordedEvent } from "../../domain/event.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log } from "../../kernel/log.ts";
import type { Store } from "../../ports/store/store.ts";
import { openFolder, type Folder } from "../confined-folder.ts";
import { updateChannelFile } from "./channel-file.ts";
import { readInboxes, writeInboxes } from "./inbox-files.ts";

/**
 * Shows workspaces with `provider: file` as Markdown a person can follow with any editor: `channel.md` and `inbox/`.
 * It only ever reads the store, after the commit: it can be edited, deleted or fall behind, and nothing is lost.
 * Failing to write it is logged and tried again with the next event; it never fails an operation.
 */
export interface WorkspaceMirror extends AsyncDisposable {
  /** Brings every open workspace up to date: what a crash left behind, what a person deleted. */
  catchUp(): Promise<void>;
  /** Resolves when everything noticed so far is written. */
  settled(): Promise<void>;
}

export interface MirrorParts {
  /** The project folder: mirrors stay inside it. */
  readonly root: string;
  readonly store: Store;
  readonly events: EventHub<RecordedEvent>;
  readonly log: Log;
}

const PAGE = 500;

export function createWorkspaceMirror({ root, store, events, log }: MirrorParts): WorkspaceMirror {
  const stale = new Set<string>();
  let working: Promise<void> | undefined;

  const notice = (space: string): void => {
    stale.add(space);
    working ??= work().finally(() => (working = undefined));
  };

  const work = async (): Promise<void> => {
    // Once round the microtask queue: the events of one commit arrive together and are written together.
    await Promise.resolve();
    for (const space of stale) {
      stale.delete(space);
      try {
        await write(space);
      } catch (error) {
        log.warn("could not write the mirror of a workspace", { space, error });
      }
    }
  };

  const write = async (space: string): Promise<void> => {
    const workspace = await store.read((reads) => reads.workspaces.byKey(space));
    if (workspace?.provider !== "file") return;
    const base = segmentsOf(workspace.dir);
    const path = [...base, ...segmentsOf(workspace.channelFile)];
    await inFolder(root, path.slice(0, -1), (folder) =>
      updateChannelFile({
        folder,
        name: path.at(-1) ?? "",
        messagesAfter: (seq) => store.read((reads) => reads.messages.page({ space, after: seq, limit: PAGE })),
      }),
    );
    const inboxes = await store.read((reads) => readInboxes(reads, space));
    await inFolder(root, [...base, "inbox"], (folder) => writeInboxes(folder, inboxes));
  };

  const settled = async (): Promise<void> => {
    while (working !== undefined) await working;
  };

  const watching = events.observe((published) => {
    for (const event of published) if ("space" in event && event.space.startsWith("@")) notice(event.space);
  });

  return {
    async catchUp() {
      const open = await store.read((reads) => reads.workspaces.list({ state: "open" }));
      for (const { key, provider } of open) if (provider === "file") notice(key);
      await settled();
    },
    settled,
    async [Symbol.asyncDispose]() {
      watching[Symbol.dispose]();
      await settled();
    },
  };
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

async function inFolder(
  root: string,
  segments: readonly string[],
  work: (folder: Folder) => Promise<void>,
): Promise<void> {
  const opened = openFolder(root, segments, { create: true });
  if (!opened.ok) throw new Error(opened.error.message);
  using folder = opened.value;
  await work(folder);
}
