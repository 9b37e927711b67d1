import { Fault } from "../kernel/fault.ts";

const DEFAULT_PORT = 5099;

/** Returns the port of the environment, or the default. 0 = any free port. Throws a Fault for anything else. */
export function listeningPort(env: Readonly<Record<string, string | undefined>>): number {
  const text = env["AGENT_WORKER_PORT"] ?? "";
  if (text === "") return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Fault("port_unusable", `AGENT_WORKER_PORT is "${text}", which is no port.`, {
    hint: "Use a number from 0 (any free port) to 65535.",
  });
}
