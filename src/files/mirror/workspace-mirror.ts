import type { RecordedEvent } from "../../domain/event.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log, LogFields } from "../../kernel/log.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import type { Store } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { sweepStaged } from "../atomic-write.ts";
import { openFolder, type Folder } from "../confined-folder.ts";
import { checkFileName } from "../confined-path.ts";
import { updateChannelFile } from "./channel-file.ts";
import { readInboxes, writeInboxes } from "./inbox-files.ts";
import { readMark } from "./mirror-mark.ts";

/**
 * Shows workspaces with `provider: file` as Markdown a person can follow with any editor: `channel.md` and `inbox/`.
 * It only ever reads the store, after the commit: it can be edited, deleted or fall behind, and nothing is lost.
 * Failing to write it is logged and tried again with the next event; it never fails an operation.
 */
export interface WorkspaceMirror extends AsyncDisposable {
  /**
   * Brings up to date what a crash left behind and what a person changed or deleted. A closed workspace is only
   * finished: what was deleted of it stays deleted. Never rejects.
   */
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
  // The events of one commit arrive together: they add a space once, and it is written once.
  const queue = createSerialQueue((error, space) =>
    log.warn("could not read a workspace to mirror it", { space, error }),
  );
  const swept = new Set<string>();
  /** Known to have no mirror: nothing needs to be read for what happens there, until they are opened anew. */
  const unshown = new Set<string>();

  const update = (space: string): void => queue.add(space, () => show(space));

  const scan = async (): Promise<void> => {
    for (const workspace of await store.read((reads) => reads.workspaces.list())) {
      if (workspace.provider !== "file") continue;
      if (workspace.state === "open" || shownIn(workspace) === workspace.key) update(workspace.key);
    }
  };

  const show = async (space: string): Promise<void> => {
    const workspace = await store.read((reads) => reads.workspaces.byKey(space));
    if (workspace?.provider !== "file") return void unshown.add(space);
    unshown.delete(space);
    if (workspace.state === "closed" && ![space, undefined].includes(shownIn(workspace))) return;
    await attempt("could not write the mirror of a channel", { space }, async () => {
      const path = channelPath(workspace);
      using folder = open(path.slice(0, -1));
      await updateChannelFile({
        folder,
        name: path.at(-1) ?? "",
        space,
        messagesAfter: (seq) => store.read((reads) => reads.messages.page({ space, after: seq, limit: PAGE })),
      });
    });
    await attempt("could not write the mirror of the inboxes", { space }, async () => {
      using folder = open([...segmentsOf(workspace.dir), "inbox"]);
      await writeInboxes(folder, await store.read((reads) => readInboxes(reads, space)));
    });
  };

  const attempt = async (failure: string, fields: LogFields, step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      log.warn(failure, { ...fields, error });
    }
  };

  const open = (segments: readonly string[]): Folder => {
    const name = checkFileName(segments.join("/"), { hidden: true });
    const opened = name.ok ? openFolder(root, segments, { create: true }) : name;
    if (!opened.ok) throw new Error(opened.error.message);
    const path = segments.join("/");
    if (!swept.has(path)) sweepStaged(opened.value.at("."));
    swept.add(path);
    return opened.value;
  };

  /** The space whose channel the folder of a workspace shows at present. */
  const shownIn = (workspace: WorkspaceRecord): string | undefined => {
    const opened = openFolder(root, channelPath(workspace).slice(0, -1));
    if (!opened.ok) return undefined;
    using folder = opened.value;
    return readMark(folder)?.space;
  };

  const watching = events.observe((published) => {
    for (const event of published) {
      if (!("space" in event) || !event.space.startsWith("@")) continue;
      if (!unshown.has(event.space) || event.type === "workspace.opened") update(event.space);
    }
  });

  return {
    async catchUp() {
      await queue.run(() => attempt("could not look for mirrors that fell behind", {}, scan));
      await queue.idle();
    },
    settled: () => queue.idle(),
    async [Symbol.asyncDispose]() {
      watching[Symbol.dispose]();
      await queue.idle();
    },
  };
}

function channelPath({ dir, channelFile }: WorkspaceRecord): string[] {
  return segmentsOf(`${dir}/${channelFile}`);
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
