import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { narrowPrivateFolder } from "../../../files/private-file.ts";
import { connection, openDatabase, type Database } from "../connection.ts";
import { claimDatabase } from "../private-database.ts";

/**
 * The file of the memory index: texts with their facts in a table, their terms in FTS5, and their vectors (32-bit floats)
 * in a table where an agent has an embedding model. Each agent has terms of its own
 * (`7xdeploi`), so that a search reads nothing of other agents. `domain/recall` makes the terms of texts and questions;
 * when it changes how it makes them, LAYOUT changes and the index is built again. The bytes of a deleted text are
 * overwritten, because a person may have deleted it for privacy.
 */
const LAYOUT = 2;

const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -8000;
  PRAGMA journal_size_limit = 4194304;
`;

const TABLES = `
  CREATE TABLE agent (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, texts INTEGER NOT NULL, terms INTEGER NOT NULL);
  CREATE TABLE file (number INTEGER PRIMARY KEY, agent INTEGER NOT NULL, name TEXT NOT NULL, stamp TEXT NOT NULL,
    UNIQUE (agent, name));
  CREATE TABLE entry (rowid INTEGER PRIMARY KEY, file INTEGER NOT NULL, place INTEGER NOT NULL, session TEXT, hash TEXT NOT NULL,
    facts TEXT NOT NULL, terms TEXT NOT NULL, text TEXT NOT NULL);
  CREATE INDEX entry_of_file ON entry (file, place);
  CREATE TABLE vector (entry INTEGER PRIMARY KEY, agent INTEGER NOT NULL, model TEXT NOT NULL, data BLOB NOT NULL);
  CREATE INDEX vector_of_agent ON vector (agent, model, entry);
  CREATE VIRTUAL TABLE words USING fts5 (terms, content = '', detail = none, tokenize = 'unicode61 remove_diacritics 0');
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
  PRAGMA user_version = ${LAYOUT};
`;

export interface OpenIndex {
  readonly db: Database;
  readonly statements: Statements;
  /** Inode of the file, which may be deleted and created again under the same name. */
  readonly inode: bigint | undefined;
}

export function openOrCreate(file: string): OpenIndex {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  narrowPrivateFolder(dirname(file));
  try {
    return openAs(file, "existing");
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeIndex(file);
    return openAs(file, "new");
  }
}

function openAs(file: string, what: "existing" | "new"): OpenIndex {
  claimDatabase(file);
  const db = openDatabase(file, { mayLoadExtension: true });
  try {
    db.exec(SETTINGS);
    const layout = db.prepare("PRAGMA user_version").get()?.["user_version"];
    const empty = db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
    if (empty) db.exec(`BEGIN; ${TABLES} COMMIT;`);
    else if (layout !== LAYOUT && what === "existing") {
      db.close();
      removeIndex(file);
      return openAs(file, "new");
    }
    return { db, statements: prepare(db), inode: inodeOf(file) };
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

export function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

export function removeIndex(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}

/** The errors of SQLite for a file that is damaged, or is not a database. */
const DAMAGE = new Set([11, 26]);

export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  // A table that is missing or has other columns is damage too.
  return DAMAGE.has(code) || (code === 1 && error instanceof Error && /no such|malformed/.test(error.message));
}

export type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return {
    stamps: db.prepare(
      "SELECT f.name, f.stamp FROM file f JOIN agent a ON a.number = f.agent WHERE a.name = ? AND f.stamp <> ''",
    ),
    agent: db.prepare("SELECT * FROM agent WHERE name = ?"),
    addAgent: db.prepare("INSERT INTO agent (name, texts, terms) VALUES (?, 0, 0) RETURNING *"),
    countAgent: db.prepare("UPDATE agent SET texts = texts + ?, terms = terms + ? WHERE number = ?"),
    file: db.prepare("SELECT number FROM file WHERE agent = ? AND name = ?"),
    addFile: db.prepare("INSERT INTO file (agent, name, stamp) VALUES (?, ?, '') RETURNING number"),
    stampFile: db.prepare("UPDATE file SET stamp = ? WHERE number = ?"),
    dropFile: db.prepare("DELETE FROM file WHERE agent = ? AND name = ?"),
    entriesOfFile: db.prepare("SELECT rowid, place, hash FROM entry WHERE file = ?"),
    move: db.prepare("UPDATE entry SET place = ? WHERE rowid = ?"),
    add: db.prepare(
      "INSERT INTO entry (file, place, session, hash, facts, terms, text) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING rowid",
    ),
    addWords: db.prepare("INSERT INTO words (rowid, terms) VALUES (?, ?)"),
    remove: db.prepare("DELETE FROM entry WHERE rowid = ?"),
    removeWords: db.prepare("INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)"),
    withTerm: connection(db).lists("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT +?"),
    entry: db.prepare(
      "SELECT e.rowid, e.file, e.place, e.session, e.facts, e.terms, e.text, f.name FROM entry e JOIN file f ON f.number = e.file WHERE e.rowid = ?",
    ),
    session: db.prepare("SELECT session FROM entry WHERE rowid = ?"),
    hasVectors: db.prepare("SELECT 1 FROM vector WHERE agent = ? AND model = ? LIMIT 1"),
    withoutVector: db.prepare(
      "SELECT e.rowid, e.facts, e.text FROM file f JOIN entry e ON e.file = f.number WHERE f.agent = ? AND e.rowid > ? AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.entry = e.rowid AND v.model = ?) ORDER BY e.rowid LIMIT +?",
    ),
    putVector: db.prepare(
      "INSERT OR REPLACE INTO vector (entry, agent, model, data) SELECT rowid, ?, ?, ? FROM entry WHERE rowid = ?",
    ),
    removeVector: db.prepare("DELETE FROM vector WHERE entry = ?"),
    vectors: connection(db).lists(
      "SELECT entry, data FROM vector WHERE agent = ? AND model = ? AND length(data) = ? AND entry > ? ORDER BY entry LIMIT +?",
    ),
    distances: connection(db).lists(
      "SELECT entry, vec_distance_cosine(data, ?) FROM vector WHERE agent = ? AND model = ? AND length(data) = ? AND entry > ? ORDER BY entry LIMIT +?",
    ),
    neighbours: db.prepare("SELECT rowid FROM entry WHERE file = ? AND place BETWEEN ? AND ?"),
  };
}

export function agentNumber({ statements }: OpenIndex, name: string): number {
  return Number((statements.agent.get(name) ?? statements.addAgent.get(name))?.["number"]);
}

/** Returns the terms of the `terms` column of a row. */
export function splitTerms(column: unknown): string[] {
  return typeof column !== "string" || column === "" ? [] : column.split(" ");
}

export function ownTerm(agent: number, term: string): string {
  return `${agent}x${term}`;
}
