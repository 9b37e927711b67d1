import type { RecordedEvent } from "../../domain/event.ts";
import { currentKey } from "../../domain/workspace/instance.ts";
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
 * Writes workspaces whose channel has a file (`mirrored`) as Markdown: `channel.md` and `inbox/`. The files are derived from the store
 * after each commit, so they may be edited, deleted or outdated, and nothing is lost. A write error is logged and retried
 * with the next event; it never fails an operation.
 */
export interface WorkspaceMirror extends AsyncDisposable {
  /**
   * Updates the files after a crash and after changes by a person. For a closed workspace, deleted files stay deleted.
   * Never rejects.
   */
  catchUp(): Promise<void>;
  /** Resolves when all events so far are written. */
  settled(): Promise<void>;
}

export interface MirrorParts {
  /** The project folder. Mirrors are always inside it. */
  readonly root: string;
  readonly store: Store;
  readonly events: EventHub<RecordedEvent>;
  readonly log: Log;
  /** Called when files of a space have to be written; disposed when they are. Absent: nobody waits for them. */
  readonly hold?: (space: string) => Disposable;
}

const PAGE = 500;

export function createWorkspaceMirror({ root, store, events, log, hold }: MirrorParts): WorkspaceMirror {
  // The events of one commit arrive together: they add a space once, and it is written once.
  const queue = createSerialQueue((error, space) =>
    log.warn("could not read a workspace to mirror it", { space, error }),
  );
  const swept = new Set<string>();
  /** Spaces without a mirror: their events are ignored until the workspace is opened again. */
  const unmirrored = new Set<string>();

  const update = (space: string): void => {
    const held = hold?.(space);
    const added = queue.add(space, () => write(space).finally(() => held?.[Symbol.dispose]()));
    if (!added) held?.[Symbol.dispose]();
  };

  const scan = async (): Promise<void> => {
    for (const workspace of await store.read((reads) => reads.workspaces.list())) {
      if (!workspace.mirrored) continue;
      if (workspace.state === "open" || mirroredSpace(workspace) === workspace.key) update(workspace.key);
    }
  };

  const write = async (space: string): Promise<void> => {
    const workspace = await store.read((reads) => reads.workspaces.byKey(space));
    if (workspace?.mirrored !== true) return void unmirrored.add(space);
    unmirrored.delete(space);
    if (workspace.state === "closed" && ![currentKey(space), undefined].includes(mirroredSpace(workspace))) return;
    await attempt("could not write the mirror of a channel", { space }, async () => {
      const path = channelPath(workspace);
      using folder = open(path.slice(0, -1));
      await updateChannelFile({
        folder,
        name: path.at(-1) ?? "",
        space: currentKey(space),
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

  /** Returns the space whose channel is in the folder of a workspace now. */
  const mirroredSpace = (workspace: WorkspaceRecord): string | undefined => {
    const opened = openFolder(root, channelPath(workspace).slice(0, -1));
    if (!opened.ok) return undefined;
    using folder = opened.value;
    return readMark(folder)?.space;
  };

  const subscription = events.observe((published) => {
    for (const event of published) {
      if (!("space" in event) || !event.space.startsWith("@")) continue;
      if (!unmirrored.has(event.space) || event.type === "workspace.opened") update(event.space);
      // The last messages of the instance before may not be written yet.
      if (event.type === "workspace.opened" && event.earlier !== undefined) update(event.earlier);
    }
  });

  return {
    async catchUp() {
      await queue.run(() => attempt("could not look for mirrors that fell behind", {}, scan));
      await queue.idle();
    },
    settled: () => queue.idle(),
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]();
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
