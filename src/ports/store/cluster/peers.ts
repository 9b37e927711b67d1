import type { RecordedEvent } from "../../../domain/event.ts";

/** What another daemon committed. */
export interface CommitNews {
  /** All events of the commit, in their order. */
  readonly events: readonly RecordedEvent[];
  /** Mailboxes that have work which the other daemon did not begin itself. */
  readonly woken: readonly string[];
}

/**
 * The other daemons that use the same store. What they send is a hint: it may be lost, come late or come twice, and the
 * store alone says what happened. So everything that is told here must also be found by looking into the store.
 */
export interface StorePeers {
  /**
   * `committed` is called after another daemon committed something, and after a time in which hints may have been lost.
   * Without `news` it is not known what was committed. `told` is called with what another daemon told.
   */
  observe(listener: {
    readonly committed: (news?: CommitNews) => void;
    readonly told: (text: string) => void;
  }): Disposable;
  /** Tells the others something now, apart from any transaction. At most `mostBytes` of UTF-8. Never throws. */
  tell(text: string): void;
  readonly mostBytes: number;
  /** Lets the others see that the process of this node lives, from now on for as long as it is connected. */
  announce(instance: string): void;
  /**
   * Returns which of these nodes are connected, and something that is another after this process connected anew. Undefined
   * when it is not connected itself.
   */
  connected(
    instances: readonly string[],
  ): Promise<{ readonly session: unknown; readonly instances: ReadonlySet<string> } | undefined>;
}
