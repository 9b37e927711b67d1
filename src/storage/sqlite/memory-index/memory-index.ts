import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { sessionOf, textTerms } from "../../../domain/recall/text-terms.ts";
import { checkPrivateFolder } from "../../../files/private-file.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { MemoryIndex } from "../../../ports/memory-index.ts";
import type { PersonalText } from "../../../ports/personal-context.ts";
import type { Database } from "../connection.ts";
import { checkDatabaseFiles } from "../private-database.ts";
import { sqliteFault } from "../sqlite-fault.ts";
import {
  agentNumber,
  inodeOf,
  isDamage,
  openOrCreate,
  ownTerm,
  removeIndex,
  splitTerms,
  type OpenIndex,
  type Statements,
} from "./memory-index-file.ts";
import { searchTexts } from "./memory-search.ts";
import { bytesOf } from "./nearest-vectors.ts";
import { createTimeSlicer, type TimeSlicer } from "./time-slicer.ts";

/** The MemoryIndex port on SQLite, in a database of its own: it may be deleted without touching the store. */
export function openMemoryIndex(file: string, clock: Clock): MemoryIndex {
  checkPrivateFolder(dirname(file));
  checkDatabaseFiles(file);
  let open: OpenIndex | undefined;
  const close = (): void => {
    open?.db.close();
    open = undefined;
  };
  /** Opens the file again if it was deleted meanwhile. */
  const current = (): OpenIndex => {
    if (open !== undefined && open.inode === inodeOf(file)) return open;
    close();
    open = openOrCreate(file);
    return open;
  };
  /** Ignores errors on a file that was closed meanwhile, because it was damaged or its project was closed. */
  const removeIfDamaged = (used: OpenIndex | undefined, error: unknown): void => {
    if (used !== undefined && !used.db.isOpen) return;
    if (!isDamage(error)) throw sqliteFault(error);
    close();
    removeIndex(file);
  };
  const newSlicer = (): TimeSlicer => createTimeSlicer(clock);
  const look = <T>(otherwise: T, work: (used: OpenIndex) => T): T => {
    let used: OpenIndex | undefined;
    try {
      used = current();
      return work(used);
    } catch (error) {
      removeIfDamaged(used, error);
      return otherwise;
    }
  };
  const change = async (work: (used: OpenIndex) => Promise<void>): Promise<void> => {
    let used: OpenIndex | undefined;
    try {
      used = current();
      await work(used);
    } catch (error) {
      removeIfDamaged(used, error);
    }
  };

  return {
    stamps: (agent) =>
      look(new Map(), ({ statements }) => {
        const rows = statements.stamps.all(agent);
        return new Map(rows.map((row) => [String(row["name"]), String(row["stamp"])]));
      }),
    hasVectors: (agent, model) =>
      look(false, (used) => used.statements.hasVectors.get(agentNumber(used, agent), model) !== undefined),
    withoutVector: (agent, model, { after, limit }) =>
      look([], (used) =>
        used.statements.withoutVector.all(agentNumber(used, agent), after, model, limit).map((row) => {
          const facts = JSON.parse(String(row["facts"])) as Omit<PersonalText, "text">;
          return { id: Number(row["rowid"]), text: { ...facts, text: String(row["text"]) } };
        }),
      ),
    putVectors: (agent, model, vectors) =>
      change(async (used) => {
        const number = agentNumber(used, agent);
        const changes = vectors.map(
          ({ id, vector }) =>
            () =>
              used.statements.putVector.run(number, model, bytesOf(vector), id),
        );
        await inTransactions(used.db, changes, newSlicer());
      }),
    put: (agent, name, stamp, texts) => change((used) => putTexts(used, { agent, name, stamp, texts }, newSlicer())),
    drop: (agent, name) =>
      change(async (used) => {
        await putTexts(used, { agent, name, stamp: "", texts: [] }, newSlicer());
        used.statements.dropFile.run(agentNumber(used, agent), name);
      }),
    search: async (agent, question, options) => {
      let used: OpenIndex | undefined;
      try {
        used = current();
        return await searchTexts(used, agent, question, options, newSlicer());
      } catch (error) {
        removeIfDamaged(used, error);
        return null;
      }
    },
    [Symbol.dispose]: close,
  };
}

interface FileTexts {
  readonly agent: string;
  readonly name: string;
  readonly stamp: string;
  readonly texts: readonly PersonalText[];
}

/** The index is usable after each of the small transactions. The stamp is written last, so that a crash is noticed. */
async function putTexts(open: OpenIndex, { agent, name, stamp, texts }: FileTexts, slicer: TimeSlicer): Promise<void> {
  const { statements } = open;
  const number = agentNumber(open, agent);
  const file = Number((statements.file.get(number, name) ?? statements.addFile.get(number, name))?.["number"]);
  const stored = new Map<string, { rowid: number; place: number }[]>();
  for (const row of statements.entriesOfFile.all(file)) {
    const hash = String(row["hash"]);
    const same = stored.get(hash) ?? [];
    same.push({ rowid: Number(row["rowid"]), place: Number(row["place"]) });
    stored.set(hash, same);
  }
  const changes: (() => unknown)[] = [];
  for (const [place, text] of texts.entries()) {
    const { text: words, ...rest } = text;
    const facts = JSON.stringify(rest);
    const hash = createHash("sha256").update(facts).update("\n").update(words).digest("base64url");
    const before = stored.get(hash)?.shift();
    if (before === undefined) changes.push(() => addEntry(statements, number, { file, place, hash, facts, text }));
    else if (before.place !== place) changes.push(() => statements.move.run(place, before.rowid));
    await slicer.next();
  }
  for (const { rowid } of [...stored.values()].flat()) changes.push(() => removeEntry(statements, number, rowid));
  await inTransactions(open.db, [...changes, () => statements.stampFile.run(stamp, file)], slicer);
}

interface NewEntry {
  readonly file: number;
  readonly place: number;
  readonly hash: string;
  /** Everything but the text, as JSON. */
  readonly facts: string;
  readonly text: PersonalText;
}

async function inTransactions(db: Database, changes: readonly (() => unknown)[], slicer: TimeSlicer): Promise<void> {
  for (let done = 0; done < changes.length;) {
    db.exec("BEGIN");
    try {
      do changes[done++]?.();
      while (done < changes.length && !slicer.over);
      db.exec("COMMIT");
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
    await slicer.next();
  }
}

function addEntry(statements: Statements, agent: number, entry: NewEntry): void {
  const terms = textTerms(entry.text);
  const facts = [entry.file, entry.place, sessionOf(entry.text), entry.hash, entry.facts] as const;
  const row = statements.add.get(...facts, terms.join(" "), entry.text.text);
  statements.addWords.run(Number(row?.["rowid"]), ownTerms(agent, terms));
  statements.countAgent.run(1, terms.length, agent);
}

function removeEntry(statements: Statements, agent: number, rowid: number): void {
  const terms = splitTerms(statements.entry.get(rowid)?.["terms"]);
  statements.removeWords.run(rowid, ownTerms(agent, terms));
  statements.removeVector.run(rowid);
  statements.remove.run(rowid);
  statements.countAgent.run(-1, -terms.length, agent);
}

function ownTerms(agent: number, terms: readonly string[]): string {
  return terms.map((term) => ownTerm(agent, term)).join(" ");
}
