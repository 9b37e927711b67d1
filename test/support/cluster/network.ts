import { spawnSync } from "node:child_process";

/**
 * Machines of a network that exists only for a test: each is a network namespace with one cable to a common switch. A
 * process is on a machine when it is started with `on(machine)` in front of its command. Needs root on Linux.
 */
export interface TestNetwork extends Disposable {
  on(machine: string): readonly string[];
  addressOf(machine: string): string;
  /** Nothing passes any more, and nobody is told: as when a switch fails. */
  cut(machine: string): void;
  /** As when somebody pulls the cable: the machine sees it. */
  unplug(machine: string): void;
  mend(machine: string): void;
  /** Lets through so many kilobits a second. */
  slow(machine: string, kilobits: number): void;
}

/** Why there can be no such network here; undefined when there can. Installs `ip` and `tc` where it may. */
export function networkProblem(): string | undefined {
  if (process.platform !== "linux") return "network namespaces exist only on Linux";
  if (process.getuid?.() !== 0) return "only root can make network namespaces";
  if (spawnSync("ip", ["-V"]).error !== undefined) {
    spawnSync("apt-get", ["install", "-y", "-qq", "iproute2"], { timeout: 120_000 });
    if (spawnSync("ip", ["-V"]).error !== undefined) return "iproute2 is not installed, and could not be";
  }
  const probe = `awprobe${process.pid}`;
  const made = spawnSync("ip", ["netns", "add", probe], { encoding: "utf8" });
  if (made.status !== 0) return `no namespace can be made: ${made.stderr.trim()}`;
  const cable = spawnSync("ip", ["-n", probe, "link", "add", "name", "one", "type", "veth", "peer", "name", "two"]);
  const bridge = spawnSync("ip", ["-n", probe, "link", "add", "name", "lan", "type", "bridge"]);
  spawnSync("ip", ["netns", "delete", probe]);
  return cable.status === 0 && bridge.status === 0 ? undefined : "the kernel has no veth or no bridge";
}

let networks = 0;

export function makeNetwork(machines: readonly string[]): TestNetwork {
  const prefix = `aw${process.pid}-${(networks += 1)}-`;
  const lan = `${prefix}switch`;
  const made: string[] = [];
  const addNamespace = (name: string): void => {
    run("ip", "netns", "add", name);
    made.push(name);
    run("ip", "-n", name, "link", "set", "lo", "up");
  };
  const remove = (): void => {
    for (const name of made) spawnSync("ip", ["netns", "delete", name]);
  };
  try {
    addNamespace(lan);
    run("ip", "-n", lan, "link", "add", "lan", "type", "bridge", "forward_delay", "0");
    run("ip", "-n", lan, "link", "set", "lan", "up");
    for (const [index, machine] of machines.entries()) {
      const namespace = prefix + machine;
      addNamespace(namespace);
      const cable = ["type", "veth", "peer", "name", "eth0", "netns", namespace];
      run("ip", "-n", lan, "link", "add", "name", machine, ...cable);
      run("ip", "-n", lan, "link", "set", machine, "master", "lan", "up");
      run("ip", "-n", namespace, "address", "add", `10.77.0.${index + 1}/24`, "dev", "eth0");
      run("ip", "-n", namespace, "link", "set", "eth0", "up");
    }
  } catch (error) {
    remove();
    throw error;
  }
  const port = (machine: string, state: "disabled" | "forwarding"): void =>
    run("ip", "netns", "exec", lan, "bridge", "link", "set", "dev", machine, "state", state === "disabled" ? "0" : "3");
  return {
    on: (machine) => ["ip", "netns", "exec", prefix + machine],
    addressOf: (machine) => `10.77.0.${machines.indexOf(machine) + 1}`,
    cut: (machine) => port(machine, "disabled"),
    unplug: (machine) => run("ip", "-n", lan, "link", "set", machine, "down"),
    mend(machine) {
      spawnSync("ip", ["netns", "exec", lan, "tc", "qdisc", "delete", "dev", machine, "root"]);
      run("ip", "-n", lan, "link", "set", machine, "up");
      port(machine, "forwarding");
    },
    slow(machine, kilobits) {
      const limit = ["tbf", "rate", `${kilobits}kbit`, "burst", "4kb", "latency", "400ms"];
      run("ip", "netns", "exec", lan, "tc", "qdisc", "replace", "dev", machine, "root", ...limit);
    },
    [Symbol.dispose]: remove,
  };
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
}
