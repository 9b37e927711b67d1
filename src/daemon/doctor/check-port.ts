import { createServer } from "node:net";
import { listeningPort } from "../listening-port.ts";
import { fine, wrong, type Finding } from "./finding.ts";

const HOST = "127.0.0.1";

/** Checks whether a daemon could listen on its port, when none runs. Throws when the environment names no valid port. */
export async function checkPort(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const { port, isDefault } = listeningPort(env);
  if (port === 0) return [fine("port", "any free one")];
  const errno = await tryPort(port);
  if (errno === undefined) return [fine("port", `${HOST}:${port} is free`)];
  if (errno === "EADDRINUSE" && isDefault) {
    return [fine("port", `${HOST}:${port} is taken by another program; the daemon will use a free one`)];
  }
  const why = errno === "EADDRINUSE" ? "is taken by another program" : `cannot be listened on (${errno})`;
  return [wrong("port", `${HOST}:${port} ${why}`, "Take another with AGENT_WORKER_PORT; 0 is any free one.")];
}

function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
