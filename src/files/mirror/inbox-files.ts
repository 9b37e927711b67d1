import { rmSync } from "node:fs";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { fileModeIn, namesIn, type Folder } from "../confined-folder.ts";
import { readInside } from "../confined-path.ts";
import { linesOf, timeOfDay } from "../personal/transcript.ts";
import { backUpExisting } from "./back-up-existing.ts";

/** The inbox of each agent as a Markdown file, rewritten as a whole when it changes. */
const SHOWN = 100;
const SHOWN_CHARACTERS = 200;
const MAX_BYTES = 1 << 20;

export async function readInboxes(store: StoreReads, space: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const counts = await store.deliveries.countOpenByAgent(space);
  for (const { agent, ref } of await store.workspaces.roster(space)) {
    const mailbox = mailboxOf(agent, ref, space);
    const waiting = await store.deliveries.inbox({ mailbox, agent, space, limit: SHOWN });
    files.set(`${agent}.md`, render(agent, waiting, counts.get(agent) ?? 0));
  }
  return files;
}

export async function writeInboxes(folder: Folder, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, text] of files) {
    const current = await readInside(folder, name, { maxBytes: MAX_BYTES });
    if (current.ok && current.value === text) continue;
    if (current.ok && !isInbox(name, current.value)) backUpExisting(folder, name);
    await writeFileAtomic(folder.at(name), text, { label: name, durable: false, mode: fileModeIn(folder) });
  }
  for (const name of namesIn(folder, "inbox")) {
    if (!name.endsWith(".md") || files.has(name)) continue;
    const obsolete = await readInside(folder, name, { maxBytes: MAX_BYTES });
    if (obsolete.ok && isInbox(name, obsolete.value)) rmSync(folder.at(name), { force: true });
  }
}

function isInbox(name: string, text: string): boolean {
  return text.startsWith(`${titleOf(name.slice(0, -".md".length))}\n`);
}

function titleOf(agent: string): string {
  return `# Inbox of ${agent}`;
}

function render(agent: string, waiting: readonly DeliveryWithMessage[], count: number): string {
  const lines = waiting.map(({ delivery, message }) => {
    const head = `${timeOfDay(message.createdAt)} [${message.sender}] ${delivery.lane}`;
    return `- ${head}: ${firstLine(message.body)} (${delivery.id})`;
  });
  if (count > waiting.length) lines.push(`- and ${count - waiting.length} more`);
  return [titleOf(agent), "", ...(lines.length === 0 ? ["Nothing waits."] : lines), ""].join("\n");
}

function firstLine(body: string): string {
  const line = linesOf(body).find((each) => each.trim() !== "") ?? "";
  const characters = [...line.trim()];
  return characters.length > SHOWN_CHARACTERS
    ? `${characters.slice(0, SHOWN_CHARACTERS).join("")}…`
    : characters.join("");
}
