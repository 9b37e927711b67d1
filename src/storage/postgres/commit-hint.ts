import type { DomainEvent, RecordedEvent } from "../../domain/event.ts";
import type { CommitNews } from "../../ports/store/cluster/peers.ts";

/** What a hint of a commit says, as text. */
interface HintText {
  readonly events: readonly RecordedEvent[];
  readonly woken: readonly string[];
}

/**
 * What a group of transactions tells the other daemons with its commit: the events it wrote, and the mailboxes that have
 * work which this daemon did not begin. So they need not look into the store. The number of the last event is put before
 * it by the server. What is too long, or was undone in part, is not told: then they look.
 */
export class CommitHint {
  #events: (DomainEvent & { readonly at: number })[] = [];
  #woken = new Set<string>();
  #begun = new Set<string>();
  #isWhole = true;

  /** A group begins, perhaps again. */
  reset(): void {
    this.#events = [];
    this.#woken.clear();
    this.#begun.clear();
    this.#isWhole = true;
  }

  add(event: DomainEvent, at: number): void {
    this.#events.push({ ...event, at });
  }

  wake(mailboxes: Iterable<string>): void {
    for (const mailbox of mailboxes) this.#woken.add(mailbox);
  }

  /** A run of this daemon was opened: nobody else can begin one there. */
  begin(mailbox: string): void {
    this.#begun.add(mailbox);
  }

  /** Something that was written is undone, and nobody knows which of the events. */
  spoil(): void {
    this.#isWhole = false;
  }

  /** Empty when the others have to look; undefined when there is nothing that they would look for. */
  text(mostBytes: number): string | undefined {
    if (!this.#isWhole) return "";
    const woken = [...this.#woken].filter((mailbox) => !this.#begun.has(mailbox));
    if (this.#events.length === 0 && woken.length === 0) return undefined;
    const text = JSON.stringify({ events: this.#events, woken });
    return Buffer.byteLength(text) > mostBytes ? "" : text;
  }
}

/** Returns what a hint tells; undefined when it does not say. `text` begins with the number of the last event. */
export function readHint(text: string): CommitNews | undefined {
  const [, last, told] = /^(\d+) (\{.*\})$/s.exec(text) ?? [];
  if (last === undefined || told === undefined) return undefined;
  try {
    const { events, woken } = JSON.parse(told) as HintText;
    const first = Number(last) - events.length + 1;
    return { events: events.map((event, n) => ({ ...event, seq: first + n })), woken };
  } catch {
    return undefined;
  }
}
