import type { Connection, Row, Value, WriteConnection } from "../connection.ts";
import type { PostgresClient } from "./client.ts";
import { toPostgres } from "./dialect.ts";
import { toStoredText } from "./stored-text.ts";

/** A connection to the server, with its prepared statements. */
export class ServerConnection {
  readonly client: PostgresClient;
  isEnded = false;

  constructor(client: PostgresClient) {
    this.client = client;
    client.once("end", () => {
      this.isEnded = true;
    });
  }

  async rows(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    return (await this.client.query<Row>({ ...statement, values: values.map(toParameter) })).rows;
  }

  async lists(statement: Statement, values: readonly Value[]): Promise<Value[][]> {
    const query = { ...statement, values: values.map(toParameter), rowMode: "array" as const };
    return (await this.client.query<Value[]>(query)).rows;
  }

  async run(statement: Statement, values: readonly Value[]): Promise<number> {
    return (await this.client.query({ ...statement, values: values.map(toParameter) })).rowCount ?? 0;
  }

  async execute(sql: string): Promise<Row[]> {
    const result = await this.client.query<Row>(sql);
    return result.rows;
  }

  end(): Promise<void> {
    this.isEnded = true;
    return this.client.end().catch(() => {});
  }
}

/** A text with the name under which each connection prepares it, once. */
interface Statement {
  readonly name?: string;
  readonly text: string;
}

const names = new Map<string, string>();

function prepare(sql: string, suffix = ""): Statement {
  const text = toPostgres(sql) + suffix;
  const name = names.get(text) ?? `aw_${names.size}`;
  names.set(text, name);
  return { name, text };
}

function toParameter(value: Value): Value {
  return typeof value === "string" ? toStoredText(value) : value;
}

/** What the tables occupy, with their indexes; what dead rows occupy of it is only estimated by the server. */
const SIZE = `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes,
    coalesce(sum(pg_table_size(c.oid) * s.n_dead_tup / greatest(s.n_live_tup + s.n_dead_tup, 1)), 0)::bigint AS free
  FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid WHERE s.schemaname = current_schema()`;

export function readConnection(connection: () => ServerConnection): Connection {
  return {
    sizeStatement: SIZE,
    all: (sql) => {
      const statement = prepare(sql);
      return (...values) => connection().rows(statement, values);
    },
    get: (sql) => {
      const statement = prepare(sql);
      return async (...values) => (await connection().rows(statement, values))[0];
    },
    lists: (sql) => {
      const statement = prepare(sql);
      return (...values) => connection().lists(statement, values);
    },
  };
}

/** `beforeWrite` sends what must come before a statement that changes rows. */
export function writeConnection(connection: () => ServerConnection, beforeWrite: () => void): WriteConnection {
  return {
    ...readConnection(connection),
    run: (sql) => {
      const statement = prepare(sql);
      return (...values) => {
        beforeWrite();
        return connection().run(statement, values);
      };
    },
    insert: (sql) => {
      const statement = prepare(sql, " RETURNING seq");
      return async (...values) => {
        beforeWrite();
        const [row] = await connection().lists(statement, values);
        return row?.[0] as number;
      };
    },
  };
}
