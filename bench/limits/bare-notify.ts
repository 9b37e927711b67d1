import pg from "pg";

/** The least that wakes another process over PostgreSQL: LISTEN on one connection, NOTIFY on another. Milliseconds each. */
export async function bareNotify(url: string, count: number): Promise<number[]> {
  const [listener, sender] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([listener.connect(), sender.connect()]);
  await listener.query("LISTEN bare");
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const heard = new Promise<void>((resolve) => listener.once("notification", () => resolve()));
    const start = performance.now();
    await sender.query("SELECT pg_notify('bare', 'x')");
    await heard;
    times.push(performance.now() - start);
  }
  await Promise.all([listener.end(), sender.end()]);
  return times;
}
