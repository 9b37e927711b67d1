import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/** What is said and done about the store as a whole, outside its transactions. */
export interface StoreUpkeep {
  /** Why nothing is accepted, or that the disk is full; null when all is well. */
  problem(): string | null;
  /**
   * Closes a store whose file was deleted, moved or replaced, and opens what is there now, or an empty one. Refuses
   * `conflict` when the store is where it was opened.
   */
  reopen(): Result<{ readonly begins: "empty" | "as found" }, Refusal>;
  /**
   * Writes the store anew without its free space. Transactions wait until it is done, reads go on. Refuses `conflict`
   * when the disk has too little space for it, and changes nothing then.
   */
  vacuum(): Promise<Result<void, Refusal>>;
}
