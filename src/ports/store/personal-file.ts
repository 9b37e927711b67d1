/**
 * Files of personal contexts, where these are kept in the store (`context: {provider: store}`). A file has the text that
 * it would have on disk, so that it can be exported and imported without a loss.
 */
export interface PersonalFilePlace {
  readonly agent: string;
  /** Folder inside the personal context: `memory`, `conversations/archive`; "" for `soul.yaml`. */
  readonly folder: string;
  readonly name: string;
}

export interface PersonalFileRecord extends PersonalFilePlace {
  /** Made with the file. A file that is made again under the same name has another. */
  readonly id: string;
  readonly bytes: number;
  /** The hash of the text. */
  readonly stamp: string;
  readonly modifiedAt: number;
}

export interface PersonalFileReads {
  /** The files directly in a folder of an agent, by name. */
  list(agent: string, folder: string): Promise<PersonalFileRecord[]>;
  /** The files of all agents, by agent, folder and name. */
  all(): Promise<PersonalFileRecord[]>;
  find(place: PersonalFilePlace): Promise<(PersonalFileRecord & { readonly content: string }) | undefined>;
}

export interface PersonalFileWrites {
  /** Writes the text of a file, which may be new. `id` is that of a new file; another one keeps its own. */
  put(place: PersonalFilePlace, content: string, facts: { readonly id: string; readonly at: number }): Promise<void>;
  /** Gives a file another folder and name, which nobody has. */
  move(from: PersonalFilePlace, to: Pick<PersonalFilePlace, "folder" | "name">): Promise<void>;
  remove(place: PersonalFilePlace): Promise<void>;
  removeAll(agent: string): Promise<void>;
}
