import type { QueryArrayConfig, QueryArrayResult, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { systemClock } from "../../kernel/clock.ts";
import type { Connection, Row, Value, WriteConnection } from "../connection.ts";
import type { PostgresClient } from "./client.ts";
import { toPostgres } from "./dialect.ts";
import { toStoredText } from "./stored-text.ts";

const END_MS = 2_000;

/** A connection to the server, with its prepared statements. */
export class ServerConnection {
  readonly #client: PostgresClient;
  #asked = 0;
  #isCollecting = false;
  isEnded = false;

  constructor(client: PostgresClient) {
    this.#client = client;
    client.once("end", () => {
      this.isEnded = true;
    });
  }

  /** The number that the server has for this session. */
  get session(): number {
    return this.#client.processID;
  }

  /** Whether the server owes an answer. */
  get isAsked(): boolean {
    return this.#asked > 0;
  }

  get receivedBytes(): number {
    return this.#client.socket.bytesRead;
  }

  get events(): Pick<PostgresClient, "on" | "once"> {
    return this.#client;
  }

  async rows(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    return (await this.#ask<Row>({ ...statement, values: values.map(toParameter) })).rows;
  }

  async lists(statement: Statement, values: readonly Value[]): Promise<Value[][]> {
    const query = { ...statement, values: values.map(toParameter), rowMode: "array" as const };
    return (await this.#ask<Value[]>(query)).rows;
  }

  async run(statement: Statement, values: readonly Value[]): Promise<number> {
    return (await this.#ask({ ...statement, values: values.map(toParameter) })).rowCount ?? 0;
  }

  async execute(sql: string): Promise<Row[]> {
    return (await this.#ask<Row>({ text: sql })).rows;
  }

  /** Returns what the server calls the statement that it executed. */
  async command(sql: string): Promise<string> {
    return (await this.#ask({ text: sql })).command;
  }

  /** Lets the server finish what it was asked, unless it says nothing for a while. */
  async end(): Promise<void> {
    this.isEnded = true;
    const ended = this.#client.end().catch(() => {});
    await Promise.race([ended, systemClock.sleep(END_MS)]);
    this.#client.socket.destroy();
  }

  /** Ends it without a word to the server, which may not be there. */
  destroy(): void {
    this.isEnded = true;
    this.#client.socket.destroy();
  }

  /** Statements that are sent before this program waits for something go out together, in one packet. */
  #collect(): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCollecting = false;
      stream.uncork();
    });
  }

  async #ask<R extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<R>>;
  async #ask<R extends unknown[]>(query: QueryArrayConfig): Promise<QueryArrayResult<R>>;
  async #ask(query: QueryConfig): Promise<unknown> {
    this.#asked += 1;
    this.#collect();
    try {
      return await this.#client.query(query);
    } finally {
      this.#asked -= 1;
    }
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

/** What a connection that writes needs of its driver. */
export interface WriteParts {
  /** Sends what must come before a statement. */
  readonly connection: () => ServerConnection;
  /** Sends what must come before a statement that changes rows. */
  readonly beforeWrite: () => void;
  readonly onUndo: WriteConnection["onUndo"];
  /** Takes the answer of a statement that nobody waits for. */
  readonly answers: (answer: Promise<unknown>) => void;
}

/** For work that is in no transaction of a driver. */
export function plainWriteConnection(connection: ServerConnection): WriteConnection {
  const answers = (answer: Promise<unknown>): void => void answer.catch(() => {});
  return writeConnection({ connection: () => connection, beforeWrite: () => {}, onUndo: () => {}, answers });
}

export function writeConnection({ connection, beforeWrite, onUndo, answers }: WriteParts): WriteConnection {
  return {
    ...readConnection(connection),
    onUndo,
    write: (sql) => {
      const statement = prepare(sql);
      return (...values) => {
        beforeWrite();
        answers(connection().run(statement, values));
      };
    },
    append: (sql) => {
      const statement = prepare(sql, " RETURNING seq");
      return (told, ...values) => {
        beforeWrite();
        answers(
          connection()
            .lists(statement, values)
            .then(([row]) => told(row?.[0] as number)),
        );
      };
    },
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
