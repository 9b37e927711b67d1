import { Fault } from "../kernel/fault.ts";

const DEFAULT_PORT = 5099;

export interface ListeningPort {
  /** 0 = any free port. */
  readonly port: number;
  /** Nobody chose it: a daemon that finds it taken may use any free one. */
  readonly isDefault: boolean;
}

/** Returns the port of the environment, or the default. Throws a Fault for a text that is no port. */
export function listeningPort(env: Readonly<Record<string, string | undefined>>): ListeningPort {
  const text = env["AGENT_WORKER_PORT"] ?? "";
  if (text === "") return { port: DEFAULT_PORT, isDefault: true };
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return { port, isDefault: false };
  throw new Fault("port_unusable", `AGENT_WORKER_PORT is "${text}", which is no port.`, {
    hint: "Use a number from 0 (any free port) to 65535.",
  });
}
