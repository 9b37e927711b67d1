import { nameKey } from "../../domain/names.ts";

/**
 * Which agents' names are taken, by what a reader would take for the same name. Asked for every agent that is made, and
 * there may be ten thousand: so it is kept, not searched.
 */
export interface TakenNames {
  add(name: string): void;
  delete(name: string): void;
  /** The agent that has this name, or one that looks like it. */
  owner(name: string): string | undefined;
}

export function createTakenNames(names: Iterable<string> = []): TakenNames {
  const owners = new Map<string, string>();
  for (const name of names) owners.set(nameKey(name), name);
  return {
    add: (name) => void owners.set(nameKey(name), name),
    delete: (name) => void owners.delete(nameKey(name)),
    owner: (name) => owners.get(nameKey(name)),
  };
}
