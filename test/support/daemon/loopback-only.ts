import { spawnSync } from "node:child_process";

/**
 * Runs programs that would like to talk to the world where there is no world: in a network namespace of their own that
 * has nothing but loopback. Where the system does not permit that, `OFFLINE` sends what listens to proxies nowhere.
 */

/** As a command in front of another; the interface has to be brought up by hand. */
const NAMESPACES: readonly (readonly string[])[] = [
  ["unshare", "-n"],
  ["unshare", "-rn"],
].map((unshare) => [...unshare, "sh", "-c", '(ip link set lo up || ifconfig lo up) 2>/dev/null && exec "$@"', "sh"]);

const NOWHERE = "http://127.0.0.1:9";

/** For the environment of a program in a test: no way out by proxy, no telemetry, no updates. */
export const OFFLINE: Readonly<Record<string, string>> = {
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
  DO_NOT_TRACK: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
};

/** The command, with what shuts it in put in front where that works. `shut` says whether it does. */
export function loopbackOnly(command: readonly string[]): {
  readonly command: readonly string[];
  readonly shut: boolean;
} {
  const works = NAMESPACES.find(([program = "", ...args]) => spawnSync(program, [...args, "true"]).status === 0);
  return works === undefined ? { command, shut: false } : { command: [...works, ...command], shut: true };
}
