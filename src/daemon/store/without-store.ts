import type { System } from "../../kernel/system.ts";
import type { Operation, ProductTypes } from "../../operations/core/define.ts";
import { reopenStore } from "../../operations/storage/reopen-store.ts";
import { missingStore } from "./store-upkeep.ts";

/** The system of a project whose store is gone: it answers queries, and accepts only that a person begins anew. */
export function withoutStore(system: System<ProductTypes>, file: string): System<ProductTypes> {
  const check = ({ kind, name }: Pick<Operation, "kind" | "name">): void => {
    if (kind !== "query" && name !== reopenStore.name) throw missingStore(file);
  };
  return {
    async propose(caller, proposal, data) {
      check(proposal);
      return system.propose(caller, proposal, data);
    },
    query: (caller, query, data) => system.query(caller, query, data),
    async call(caller, operation, data) {
      check(operation);
      return system.call(caller, operation, data);
    },
  };
}
