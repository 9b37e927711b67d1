import { createHash } from "node:crypto";
import type { Caller } from "./caller.ts";
import type { FileEffect, StagedChange, StoredChange } from "./file-effect.ts";
import type { OperationTypes } from "./proposal.ts";
import type { Refusal } from "./refusal.ts";
import { ok, type Result } from "./result.ts";

/**
 * A step of a run that was cut off is made again, with its tool calls. A call that was accepted the first time must not
 * change anything again. So its answer is stored in the transaction of its change, and a repeated call gets that answer.
 *
 * A file cannot change in that transaction. So the new content is put on disk under a name that is the same when the
 * call is repeated, and where it is gets stored before it is renamed to the file. After a crash the file was changed
 * if and only if the new content is no longer under that name. Content that is in the store changes in the transaction
 * that remembers it.
 */

/** Names one proposal of one tool call. Equal when the call is repeated. */
export interface CallKey {
  readonly run: string;
  readonly call: string;
}

export interface RememberedCall {
  /** What the proposal returned; absent when it was not accepted. */
  readonly answer?: { readonly value: unknown };
  /** The file it was about to change, and what its `prepare` returns then. */
  readonly change?: { readonly staged: StagedChange | StoredChange; readonly prepared: unknown };
}

/** Remembers the calls of unfinished steps. `operations/core/call-memory.ts` implements it. */
export interface CallMemory<Types extends OperationTypes> {
  find(store: Types["reads"], key: CallKey): Promise<RememberedCall | undefined>;
  storeAnswer(store: Types["writes"], key: CallKey, value: unknown): Promise<void>;
  storeChange(
    store: Types["writes"],
    key: CallKey,
    staged: StagedChange | StoredChange,
    prepared: unknown,
  ): Promise<void>;
  forget(store: Types["writes"], key: CallKey): Promise<void>;
  /** True when the new content has been renamed to its file. */
  isDone(staged: StagedChange | StoredChange): boolean;
  /** Removes the staged content, if it is still there. Never throws. */
  discard(staged: StagedChange | StoredChange): void;
}

/** One proposal of a tool call, from its first look into the memory to its end. */
export interface RepeatableCall<Types extends OperationTypes> {
  find(): Promise<RememberedCall | undefined>;
  /** Returns what `prepare` returned the first time, once, when it changed its file then. */
  takeResumed(): { readonly prepared: unknown } | undefined;
  fileEffect<Value>(prepared: (value: Value) => unknown): FileEffect<Value>;
  storeAnswer(store: Types["writes"], value: unknown): Promise<void>;
  /** Removes what is left of a change that was begun. */
  end(accepted: boolean): Promise<void>;
}

/** Thrown in place of changing a file, when the run of the call was taken over. */
export class RefusedChange extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = "RefusedChange";
    this.refusal = refusal;
  }
}

/** The part of a store that is needed here. */
interface CallStore<Types extends OperationTypes> {
  read<T>(work: (store: Types["reads"]) => Promise<T>): Promise<T>;
  transact<T>(work: (store: Types["writes"]) => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>;
}

interface CallParts<Types extends OperationTypes> {
  readonly store: CallStore<Types>;
  readonly callMemory?: CallMemory<Types>;
  /** Returns why the caller may change nothing any more: asked right before a file is changed. */
  readonly lost?: (store: Types["reads"]) => Promise<Refusal | undefined>;
}

/** Undefined when the caller makes no calls that may be repeated. */
export function repeatableCall<Types extends OperationTypes>(
  { store, callMemory: memory, lost }: CallParts<Types>,
  caller: Caller,
  proposal: string,
): RepeatableCall<Types> | undefined {
  if (memory === undefined || caller.kind !== "agent" || caller.run === null || caller.call === undefined) {
    return undefined;
  }
  const key: CallKey = { run: caller.run, call: `${caller.call}/${proposal}` };
  let resumed: { readonly prepared: unknown } | undefined;
  let begun: StagedChange | StoredChange | undefined;
  return {
    async find() {
      const earlier = await store.read((reads) => memory.find(reads, key));
      const change = earlier?.change;
      begun = change?.staged;
      if (change !== undefined && memory.isDone(change.staged)) resumed = { prepared: change.prepared };
      return earlier;
    },
    takeResumed() {
      const taken = resumed;
      resumed = undefined;
      return taken;
    },
    fileEffect: (prepared) => ({
      id: createHash("sha256").update(`${key.run}/${key.call}`).digest("hex").slice(0, 32),
      async begin(staged, value) {
        begun = staged;
        const stored = await store.transact(async (writes) => {
          const refusal = await lost?.(writes);
          if (refusal !== undefined) return { ok: false, error: refusal };
          await memory.storeChange(writes, key, staged, prepared(value));
          return ok(undefined);
        });
        if (!stored.ok) throw new RefusedChange(stored.error);
      },
      async beginWithin(writes: Types["writes"], value) {
        begun = { inStore: true };
        const refusal = await lost?.(writes);
        if (refusal === undefined) await memory.storeChange(writes, key, begun, prepared(value));
        return refusal;
      },
    }),
    storeAnswer: (writes, value) => memory.storeAnswer(writes, key, value),
    async end(accepted) {
      if (begun === undefined) return;
      if (!accepted) {
        // The file changed and the store failed: the call that is made again must know it.
        if (memory.isDone(begun)) return;
        const forgotten = await store
          .transact(async (writes) => ok(await memory.forget(writes, key)))
          .catch(() => null);
        if (forgotten === null) return;
      }
      memory.discard(begun);
    },
  };
}
