import type { EngineName } from "../../../domain/agent/engines.ts";
import type { NodeReads, NodeRecord, NodeWrites } from "../../../ports/store/cluster/node.ts";
import type { Connection, Row, WriteConnection } from "../../connection.ts";

export function nodeReads(db: Connection): NodeReads {
  const selectAll = db.all("SELECT * FROM node ORDER BY name");
  const selectOne = db.get("SELECT * FROM node WHERE instance = ?");
  const selectPin = db.get("SELECT node FROM worktree_node WHERE worktree = ?");
  return {
    async pinned(worktree) {
      return (await selectPin(worktree))?.["node"] as string | undefined;
    },
    async list() {
      return (await selectAll()).map(toNode);
    },
    async byInstance(instance) {
      const row = await selectOne(instance);
      return row === undefined ? undefined : toNode(row);
    },
  };
}

export function nodeWrites(db: WriteConnection): NodeWrites {
  const deleteOne = db.write("DELETE FROM node WHERE name = ?");
  const insert = db.write(
    `INSERT INTO node (name, instance, machine, labels, engines, capacity, version, definitions, started_at, beat_at,
       lease_ms, left_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const beat = db.run("UPDATE node SET beat_at = ?, left_at = NULL WHERE instance = ?");
  const leave = db.write("UPDATE node SET left_at = ? WHERE instance = ?");
  const pin = db.write(
    "INSERT INTO worktree_node (worktree, node) VALUES (?, ?) ON CONFLICT (worktree) DO UPDATE SET node = excluded.node",
  );
  return {
    async pin(worktree, node) {
      await pin(worktree, node);
    },
    async put(node) {
      await deleteOne(node.name);
      await insert(
        node.name,
        node.instance,
        node.machine,
        JSON.stringify(node.labels),
        JSON.stringify(node.engines),
        node.capacity,
        node.version,
        JSON.stringify(node.definitions),
        node.startedAt,
        node.beatAt,
        node.leaseMs,
        node.leftAt,
      );
    },
    async beat(instance, at) {
      return (await beat(at, instance)) === 1;
    },
    async leave(instance, at) {
      await leave(at, instance);
    },
    async remove(name) {
      await deleteOne(name);
    },
  };
}

function toNode(row: Row): NodeRecord {
  return {
    name: row["name"] as string,
    instance: row["instance"] as string,
    machine: row["machine"] as string,
    labels: JSON.parse(row["labels"] as string) as string[],
    engines: JSON.parse(row["engines"] as string) as EngineName[],
    capacity: row["capacity"] as number | null,
    version: row["version"] as string,
    definitions: JSON.parse(row["definitions"] as string) as Record<string, string>,
    startedAt: row["started_at"] as number,
    beatAt: row["beat_at"] as number,
    leaseMs: row["lease_ms"] as number,
    leftAt: row["left_at"] as number | null,
  };
}
