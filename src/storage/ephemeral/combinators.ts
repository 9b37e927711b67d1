import type { Connection } from "../connection.ts";

export type Method<Args extends readonly unknown[], R> = (...args: Args) => Promise<R>;

/** Says how a method works on rows in two schemas: it makes one method of the durable and the ephemeral one. */
export type Rule<Args extends readonly unknown[], R> = (
  durable: Method<Args, R>,
  ephemeral: Method<Args, R>,
  rows: EphemeralRows,
) => Method<Args, R>;

/** A rule for each method of an aggregate. */
export type Rules<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => Promise<infer R> ? Rule<Args, R> : never;
};

const OWNERS = [
  "workspace",
  "conversation",
  "message",
  "delivery",
  "run",
  "ballot",
  "approval",
  "suggestion",
  "rule",
] as const;
type Owner = (typeof OWNERS)[number];

/** Says which rows are in the ephemeral schema. */
export interface EphemeralRows {
  has(table: Owner, id: string): Promise<boolean>;
  /** Deletes the rows of a space there. */
  deleteSpace(space: string): Promise<void>;
  /** Moves the direct messages of an agent from there to disk, to an agent of this name. */
  promote(agent: string, name: string): Promise<void>;
}

const KEY_COLUMNS: Partial<Record<Owner, string>> = { workspace: "key", conversation: "agent" };

export function ephemeralRows(db: Connection, changes: Pick<EphemeralRows, "deleteSpace" | "promote">): EphemeralRows {
  const selects = Object.fromEntries(
    OWNERS.map((table) => [table, db.get(`SELECT 1 FROM ${table} WHERE ${KEY_COLUMNS[table] ?? "id"} = ?`)]),
  ) as Record<Owner, (id: string) => unknown>;
  return { has: async (table, id) => (await selects[table](id)) !== undefined, ...changes };
}

/** A space in memory is a workspace with `provider: memory`, or the direct messages of an ephemeral agent. */
export function hasSpace(rows: EphemeralRows, space: string): Promise<boolean> {
  return rows.has(space.startsWith("@") ? "workspace" : "conversation", space);
}

/** Returns one aggregate made of two, method by method. */
export function combine<T extends object>(durable: T, ephemeral: T, rules: Rules<T>, rows: EphemeralRows): T {
  const methods = Object.keys(durable).map((name) => {
    const key = name as keyof T;
    const rule = rules[key] as unknown as Rule<readonly unknown[], unknown>;
    type Any = Method<readonly unknown[], unknown>;
    return [name, rule(durable[key] as Any, ephemeral[key] as Any, rows)];
  });
  return Object.fromEntries(methods) as T;
}

type GenericRule<Head extends readonly unknown[]> = <Args extends Head, R>(
  durable: Method<Args, R>,
  ephemeral: Method<Args, R>,
  rows: EphemeralRows,
) => Method<Args, R>;

/** Uses the schema that holds the space. */
export function bySpace<Head extends readonly unknown[]>(spaceOf: (args: Head) => string): GenericRule<Head> {
  return (durable, ephemeral, rows) =>
    async (...args) =>
      ((await hasSpace(rows, spaceOf(args))) ? ephemeral : durable)(...args);
}

/** Uses the schema that holds the row, for a method that reads or changes what belongs to it. */
export function byRow<Head extends readonly unknown[]>(table: Owner, idOf: (args: Head) => string): GenericRule<Head> {
  return (durable, ephemeral, rows) =>
    async (...args) =>
      ((await rows.has(table, idOf(args))) ? ephemeral : durable)(...args);
}

/** Uses both schemas and joins the results into one. */
export function both<Args extends readonly unknown[], R>(
  join: (durable: R, ephemeral: R, args: Args) => R,
): Rule<Args, R> {
  return (durable, ephemeral) =>
    async (...args) =>
      join(await durable(...args), await ephemeral(...args), args);
}

/** For lists: uses the schema that holds the space of the query; without a space both, cut to the limit. */
export function listBySpace<Query extends { readonly space?: string; readonly limit: number }, T>(
  join: (durable: T[], ephemeral: T[]) => T[],
): Rule<[query: Query], T[]> {
  return (durable, ephemeral, rows) => async (query) => {
    if (query.space !== undefined) return ((await hasSpace(rows, query.space)) ? ephemeral : durable)(query);
    return join(await durable(query), await ephemeral(query)).slice(0, query.limit);
  };
}

/** For rows found by their id. The ephemeral schema is small and in memory, and so it is read first. */
export function firstFound<Args extends readonly unknown[], R>(
  durable: Method<Args, R | undefined>,
  ephemeral: Method<Args, R | undefined>,
): Method<Args, R | undefined> {
  return async (...args) => (await ephemeral(...args)) ?? durable(...args);
}

/** Joins two lists without reordering either, because sequence numbers of two schemas cannot be compared. */
export function merge<T>(a: readonly T[], b: readonly T[], isBefore: (b: T, a: T) => boolean): T[] {
  const merged: T[] = [];
  let next = 0;
  for (const each of a) {
    for (let other = b[next]; other !== undefined && isBefore(other, each); other = b[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(each);
  }
  return [...merged, ...b.slice(next)];
}
