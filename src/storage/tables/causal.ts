import type { CausalTree } from "../../domain/causal/budget.ts";
import type { CausalReads, CausalWrites } from "../../ports/store/causal.ts";
import type { Connection, WriteConnection } from "../connection.ts";

export function causalReads(db: Connection): CausalReads {
  const selectTree = db.get("SELECT counters FROM causal_tree WHERE root = ?");
  return {
    async tree(root) {
      const row = await selectTree(root);
      return row === undefined ? undefined : (JSON.parse(row["counters"] as string) as CausalTree);
    },
  };
}

export function causalWrites(db: WriteConnection): CausalWrites {
  const replaceTree = db.write(
    "INSERT INTO causal_tree (root, counters) VALUES (?, ?) ON CONFLICT (root) DO UPDATE SET counters = excluded.counters",
  );
  return {
    async save(tree) {
      await replaceTree(tree.root, JSON.stringify(tree));
    },
  };
}
