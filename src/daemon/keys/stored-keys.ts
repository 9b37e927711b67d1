import { constants, closeSync, fstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { prepareHome } from "../../client/prepare-home.ts";
import { stampAt } from "../../files/file-stamp.ts";
import { openPrivateFile, writePrivateFile } from "../../files/private-file.ts";
import { Fault } from "../../kernel/fault.ts";
import { openKeyring, type Keyring } from "./keyring.ts";

/**
 * Keys of providers that a person keeps with `login`, by the names of their variables. A value is in the keyring of the
 * system, or else in a file of the home that only this user can read. The file says where each of them is, so that the
 * daemon notices every change.
 */
export type StoredKeys = () => Promise<Readonly<Record<string, string>>>;

export type KeyPlace = "keyring" | "file";

type Environment = Readonly<Record<string, string | undefined>>;

const KEYS_FILE = "keys.json";
const MAX_BYTES = 256 * 1024;
const entry = z.union([z.object({ value: z.string().min(1) }), z.object({ keyring: z.literal(true) })]);
const content = z.object({ keys: z.record(z.string(), entry) });
type Entries = z.output<typeof content>["keys"];

/** Returns a function that reads the keys, again only when the file has changed. `onValue` gets every value before that. */
export function openStoredKeys(home: string, env: Environment, onValue?: (value: string) => void): StoredKeys {
  let last: Readonly<Record<string, string>> = {};
  let lastStamp = "";
  return async () => {
    const stamp = stampAt(join(home, KEYS_FILE));
    if (stamp === lastStamp) return last;
    const values = await valuesOf(readEntries(home), openKeyring(env));
    for (const value of Object.values(values)) onValue?.(value);
    last = values;
    lastStamp = stamp;
    return values;
  };
}

/** Stores a key: in the keyring if there is one that gives it back, unless `place` says `file`. */
export async function storeKey(
  { home, env }: { readonly home: string; readonly env: Environment },
  variable: string,
  value: string,
  place: KeyPlace,
): Promise<KeyPlace> {
  prepareHome(home);
  refuseDamaged(home);
  const keyring = place === "keyring" ? openKeyring(env) : undefined;
  const inKeyring = keyring !== undefined && (await keepIn(keyring, variable, value));
  writeEntries(home, { ...readEntries(home), [variable]: inKeyring ? { keyring: true } : { value } });
  return inKeyring ? "keyring" : "file";
}

/** Returns false when no such key is stored. */
export async function removeKey(
  { home, env }: { readonly home: string; readonly env: Environment },
  variable: string,
): Promise<boolean> {
  refuseDamaged(home);
  const { [variable]: removed, ...others } = readEntries(home);
  if (removed === undefined) return false;
  if ("keyring" in removed) await openKeyring(env)?.remove(variable);
  writeEntries(home, others);
  return true;
}

async function keepIn(keyring: Keyring, variable: string, value: string): Promise<boolean> {
  return (await keyring.write(variable, value)) && (await keyring.read(variable)) === value;
}

async function valuesOf(entries: Entries, keyring: Keyring | undefined): Promise<Record<string, string>> {
  const values = await Promise.all(
    Object.entries(entries).map(async ([name, each]) => {
      const value = "value" in each ? each.value : await keyring?.read(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  return Object.fromEntries(values.flat());
}

/** What is wrong with the file of the keys, and what to do; undefined when it can be read, or is not there. */
export function damagedKeys(home: string): { readonly message: string; readonly next: string } | undefined {
  if (readFile(home) !== undefined) return undefined;
  const path = join(home, KEYS_FILE);
  return {
    message: `${path} is damaged, so none of the keys in it is used`,
    next: `Mend it, or move it away and keep the keys anew: mv ${path} ${path}.damaged`,
  };
}

/** What a damaged file holds may still be wanted: it is never written over. */
function refuseDamaged(home: string): void {
  const damaged = damagedKeys(home);
  if (damaged !== undefined) throw new Fault("file_unreadable", `${damaged.message}.`, { hint: damaged.next });
}

/** A damaged file holds no keys. */
function readEntries(home: string): Entries {
  return readFile(home) ?? {};
}

/** Returns undefined when the file is damaged. */
function readFile(home: string): Entries | undefined {
  const path = join(home, KEYS_FILE);
  if (stampAt(path) === "") return {};
  const file = openPrivateFile(path, constants.O_RDONLY);
  try {
    const parsed = fstatSync(file).size > MAX_BYTES ? undefined : content.safeParse(parse(readFileSync(file, "utf8")));
    return parsed?.data?.keys;
  } finally {
    closeSync(file);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writeEntries(home: string, keys: Entries): void {
  writePrivateFile(join(home, KEYS_FILE), `${JSON.stringify({ keys }, null, 2)}\n`);
}
