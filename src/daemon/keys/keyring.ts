import { dirname } from "node:path";
import { runProcess } from "../../engines/process/run-process.ts";
import { findProgram } from "../../engines/shared/find-program.ts";
import { systemClock } from "../../kernel/clock.ts";

/**
 * The keyring of the system, through the program that belongs to it: `security` on macOS, `secret-tool` elsewhere. Values
 * are passed on standard input, never as arguments. Every call ends within a time limit: a keyring that wants to ask for
 * a password has nobody to ask in the daemon.
 */
export interface Keyring {
  /** Returns false when it could not be stored. */
  write(name: string, value: string): Promise<boolean>;
  /** Returns undefined when it is not there or cannot be read. */
  read(name: string): Promise<string | undefined>;
  remove(name: string): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const SERVICE = "agent-worker";
const TIMEOUT_MS = 5_000;

/** Returns undefined where the system has no keyring that a program can use. */
export function openKeyring(env: Environment, platform: NodeJS.Platform = process.platform): Keyring | undefined {
  if (platform === "darwin") return macKeyring(env);
  return (env["DBUS_SESSION_BUS_ADDRESS"] ?? "") === "" ? undefined : secretToolKeyring(env);
}

function secretToolKeyring(env: Environment): Keyring {
  const attributes = (name: string): string[] => ["service", SERVICE, "variable", name];
  return {
    write: async (name, value) =>
      (await ask(env, "secret-tool", ["store", "--label", `${SERVICE} ${name}`, ...attributes(name)], value)) !==
      undefined,
    read: (name) => ask(env, "secret-tool", ["lookup", ...attributes(name)]).then(line),
    remove: async (name) => void (await ask(env, "secret-tool", ["clear", ...attributes(name)])),
  };
}

/** `security -i` reads a command from its input, so that the value is in no list of processes. */
function macKeyring(env: Environment): Keyring {
  return {
    write: async (name, value) => {
      if (/["\\\r\n]/.test(value)) return false;
      const command = `add-generic-password -U -s ${SERVICE} -a ${name} -w "${value}"\n`;
      return (await ask(env, "security", ["-i"], command)) !== undefined;
    },
    read: (name) => ask(env, "security", ["find-generic-password", "-s", SERVICE, "-a", name, "-w"]).then(line),
    remove: async (name) => void (await ask(env, "security", ["delete-generic-password", "-s", SERVICE, "-a", name])),
  };
}

function line(output: string | undefined): string | undefined {
  const value = output?.replace(/\r?\n$/, "");
  return value === "" ? undefined : value;
}

/** Returns what the program printed; undefined when it is not there, failed, or did not end in time. */
async function ask(env: Environment, name: string, args: readonly string[], input = ""): Promise<string | undefined> {
  const program = await findProgram(name, env["PATH"] ?? "");
  if (program === null) return undefined;
  let output = "";
  const end = await runProcess(
    systemClock,
    {
      program,
      args,
      cwd: dirname(program),
      env: Object.fromEntries(
        Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      ),
      input,
      timeoutMs: TIMEOUT_MS,
      onOutput: (text, from) => void (output += from === "stdout" ? text : ""),
    },
    new AbortController().signal,
  );
  return end.started && end.code === 0 && !end.timedOut ? output : undefined;
}
