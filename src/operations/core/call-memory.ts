import type { StagedChange, StoredChange } from "../../kernel/file-effect.ts";
import type { CallMemory, RememberedCall } from "../../kernel/repeated-call.ts";
import type { ProductTypes } from "./define.ts";

/** What the files say about a staged change. */
export interface StagedChanges {
  isDone(staged: StagedChange): boolean;
  discard(staged: StagedChange): void;
}

/** Remembers the calls of the unfinished step of each run, in the store. `record-step` and `end-run` forget them. */
export function createCallMemory(changes: StagedChanges): CallMemory<ProductTypes> {
  return {
    async find({ callAnswers }, { run, call }) {
      const found = await callAnswers.find(run, call);
      if (found === undefined) return undefined;
      const { answer, change } = found;
      return {
        ...(answer === null ? {} : { answer: { value: JSON.parse(answer) as unknown } }),
        ...(change === null ? {} : { change: JSON.parse(change) as NonNullable<RememberedCall["change"]> }),
      };
    },
    storeAnswer: ({ callAnswers }, { run, call }, value) => callAnswers.storeAnswer(run, call, toJson(value)),
    storeChange({ callAnswers }, { run, call }, staged: StagedChange | StoredChange, prepared) {
      return callAnswers.storeChange(run, call, toJson({ staged, prepared }));
    },
    forget: ({ callAnswers }, { run, call }) => callAnswers.forget(run, call),
    isDone: (staged) => "inStore" in staged || changes.isDone(staged),
    discard: (staged) => {
      if (!("inStore" in staged)) changes.discard(staged);
    },
  };
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
