import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import type { Folder } from "../confined-folder.ts";
import { timeOfDay } from "../personal/transcript.ts";

/** What waits for each agent, one Markdown file an agent. Written whole each time: an inbox is short. */
const SHOWN = 100;

export async function readInboxes(store: StoreReads, space: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const { agent, isRef } of await store.workspaces.roster(space)) {
    const mailbox = mailboxOf(agent, isRef, space);
    const waiting = await store.deliveries.inbox({ mailbox, space, limit: SHOWN });
    files.set(`${agent}.md`, render(agent, waiting));
  }
  return files;
}

export async function writeInboxes(folder: Folder, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, text] of files) await writeFileAtomic(folder.at(name), text, { label: name });
}

function render(agent: string, waiting: readonly DeliveryWithMessage[]): string {
  const lines = waiting.map(({ delivery, message }) => {
    const [first = ""] = message.body.split("\n", 1);
    return `- ${timeOfDay(message.createdAt)} [${message.sender}] ${delivery.lane}: ${first.slice(0, 200)} (${delivery.id})`;
  });
  return [`# Inbox of ${agent}`, "", ...(lines.length === 0 ? ["Nothing waits."] : lines), ""].join("\n");
}
