import pg from "pg";

const TABLES = `
  CREATE TABLE message (seq BIGSERIAL PRIMARY KEY, agent TEXT NOT NULL, body TEXT NOT NULL);
  CREATE TABLE delivery (seq BIGSERIAL PRIMARY KEY, message BIGINT NOT NULL, agent TEXT NOT NULL, state INT NOT NULL);
  CREATE INDEX pending ON delivery (seq) WHERE state = 0;
  CREATE TABLE run (delivery BIGINT PRIMARY KEY, agent TEXT NOT NULL, ended BOOLEAN NOT NULL);
  CREATE UNIQUE INDEX open_run ON run (agent) WHERE NOT ended;
  CREATE TABLE step (seq BIGSERIAL PRIMARY KEY, delivery BIGINT NOT NULL, text TEXT NOT NULL);
  CREATE TABLE event (seq BIGSERIAL PRIMARY KEY, what TEXT NOT NULL);
`;

/**
 * The least that keeps the promises of a turn on PostgreSQL: a message is accepted, claimed by one, its step stored and its
 * answer settled in one transaction each, one after another under an advisory lock, with a hint for whoever listens.
 */
export class BareStore {
  readonly #client: pg.Client;
  readonly #url: string;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(url: string, client: pg.Client) {
    this.#url = url;
    this.#client = client;
  }

  static async open(url: string): Promise<BareStore> {
    return new BareStore(url, await connect(url));
  }

  static async create(url: string): Promise<void> {
    const client = await connect(url);
    await client.query(`CREATE SCHEMA ${schemaOf(url)}; ${TABLES}`);
    await client.end();
  }

  accept(agent: string): Promise<void> {
    return this.#transaction(async (run) => {
      const [row] = await run("INSERT INTO message (agent, body) VALUES ($1, 'please') RETURNING seq", [agent]);
      await run("INSERT INTO delivery (message, agent, state) VALUES ($1, $2, 0)", [row?.["seq"], agent]);
      await run("INSERT INTO event (what) VALUES ('message.posted')");
    });
  }

  claim(): Promise<number | undefined> {
    return this.#transaction(async (run) => {
      const [row] = await run(
        `SELECT seq, agent FROM delivery d WHERE state = 0
         AND NOT EXISTS (SELECT 1 FROM run r WHERE r.agent = d.agent AND NOT ended) ORDER BY seq LIMIT 1`,
      );
      if (row === undefined) return undefined;
      await run("UPDATE delivery SET state = 1 WHERE seq = $1", [row["seq"]]);
      await run("INSERT INTO run (delivery, agent, ended) VALUES ($1, $2, FALSE)", [row["seq"], row["agent"]]);
      await run("INSERT INTO event (what) VALUES ('run.started')");
      return Number(row["seq"]);
    });
  }

  step(delivery: number): Promise<void> {
    return this.#transaction(async (run) => {
      await run("INSERT INTO step (delivery, text) VALUES ($1, 'answer')", [delivery]);
      await run("INSERT INTO event (what) VALUES ('run.step')");
    });
  }

  settle(delivery: number): Promise<void> {
    return this.#transaction(async (run) => {
      await run("INSERT INTO message (agent, body) SELECT agent, 'answer' FROM delivery WHERE seq = $1", [delivery]);
      await run("UPDATE delivery SET state = 2 WHERE seq = $1", [delivery]);
      await run("UPDATE run SET ended = TRUE WHERE delivery = $1", [delivery]);
      await run("INSERT INTO event (what) VALUES ('run.ended')");
    });
  }

  async listen(hinted: () => void): Promise<void> {
    const listener = await connect(this.#url);
    listener.on("notification", hinted);
    await listener.query(`LISTEN ${schemaOf(this.#url)}`);
  }

  #transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const run: Run = async (sql, values = []) => (await this.#client.query(sql, [...values])).rows;
    const mine = this.#last.then(async () => {
      await run("BEGIN");
      await run("SELECT pg_advisory_xact_lock(1)");
      const result = await work(run);
      await run(`SELECT pg_notify('${schemaOf(this.#url)}', '')`);
      await run("COMMIT");
      return result;
    });
    this.#last = mine.catch(() => {});
    return mine;
  }

  async end(): Promise<void> {
    await this.#client.end();
  }
}

type Run = (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schemaOf(url)}` });
  client.on("error", () => {});
  await client.connect();
  return client;
}

function schemaOf(url: string): string {
  return new URL(url).searchParams.get("schema") ?? "";
}
