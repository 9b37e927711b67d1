import type { Notes } from "./model-server.ts";

/** What the model server noted about one peer. */
export interface ModelNotes {
  /** The address for its requests, with `/v1`. */
  readonly url: string;
  read(): Promise<Notes>;
  reset(): Promise<void>;
  /** Answers the calls that are held. */
  release(): Promise<void>;
}

export function modelNotesOf(server: string, peer: string): ModelNotes {
  const at = `${server}/${peer}`;
  const post = async (path: string): Promise<void> => void (await (await fetch(`${at}/${path}`)).text());
  return {
    url: `${at}/v1`,
    read: async () => (await (await fetch(`${at}/notes`)).json()) as Notes,
    reset: () => post("reset"),
    release: () => post("release"),
  };
}
