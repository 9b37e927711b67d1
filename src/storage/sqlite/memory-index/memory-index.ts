import { createHash } from "node:crypto";
import { termsOf } from "../../../domain/recall/terms.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { MemoryIndex } from "../../../ports/memory-index.ts";
import type { PersonalText } from "../../../ports/personal-context.ts";
import type { Database } from "../connection.ts";
import { sqliteFault } from "../sqlite-fault.ts";
import {
  agentNumber,
  inodeOf,
  isDamage,
  openOrMake,
  ownTerm,
  removeIndex,
  splitTerms,
  type OpenIndex,
  type Statements,
} from "./memory-index-file.ts";
import { searchTexts } from "./memory-search.ts";
import { createTimeSlicer, type TimeSlicer } from "./time-slicer.ts";

/** The MemoryIndex port on SQLite, in a database of its own: it may be deleted without touching the store. */
export function openMemoryIndex(file: string, clock: Clock): MemoryIndex {
  let open: OpenIndex | undefined;
  const close = (): void => {
    open?.db.close();
    open = undefined;
  };
  /** The file may have been deleted meanwhile, to be built again. */
  const current = (): OpenIndex => {
    if (open !== undefined && open.inode === inodeOf(file)) return open;
    close();
    open = openOrMake(file);
    return open;
  };
  /** Work on a file that was thrown away, or on a closed project, ends here. */
  const throwAway = (used: OpenIndex | undefined, error: unknown): void => {
    if (used !== undefined && !used.db.isOpen) return;
    if (!isDamage(error)) throw sqliteFault(error);
    close();
    removeIndex(file);
  };
  const turns = (): TimeSlicer => createTimeSlicer(clock);
  const change = async (work: (used: OpenIndex) => Promise<void>): Promise<void> => {
    let used: OpenIndex | undefined;
    try {
      used = current();
      await work(used);
    } catch (error) {
      throwAway(used, error);
    }
  };

  return {
    stamps: (agent) => {
      let used: OpenIndex | undefined;
      try {
        used = current();
        const rows = used.statements.stamps.all(agent);
        return new Map(rows.map((row) => [String(row["name"]), String(row["stamp"])]));
      } catch (error) {
        throwAway(used, error);
        return new Map();
      }
    },
    put: (agent, name, stamp, texts) => change((used) => putTexts(used, { agent, name, stamp, texts }, turns())),
    drop: (agent, name) =>
      change(async (used) => {
        await putTexts(used, { agent, name, stamp: "", texts: [] }, turns());
        used.statements.dropFile.run(agentNumber(used, agent), name);
      }),
    search: async (agent, question, wanted) => {
      let used: OpenIndex | undefined;
      try {
        used = current();
        return await searchTexts(used, agent, question, wanted, turns());
      } catch (error) {
        throwAway(used, error);
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

/** Small transactions, each of which leaves the index usable; the stamp is written last, so that a crash is noticed. */
async function putTexts(open: OpenIndex, { agent, name, stamp, texts }: FileTexts, turns: TimeSlicer): Promise<void> {
  const { statements } = open;
  const number = agentNumber(open, agent);
  const file = Number((statements.file.get(number, name) ?? statements.addFile.get(number, name))?.["number"]);
  const held = new Map<string, { rowid: number; place: number }[]>();
  for (const row of statements.held.all(file)) {
    const hash = String(row["hash"]);
    const same = held.get(hash) ?? [];
    same.push({ rowid: Number(row["rowid"]), place: Number(row["place"]) });
    held.set(hash, same);
  }
  const changes: (() => unknown)[] = [];
  for (const [place, text] of texts.entries()) {
    const { text: words, ...known } = text;
    const facts = JSON.stringify(known);
    const hash = createHash("sha256").update(facts).update("\n").update(words).digest("base64url");
    const before = held.get(hash)?.shift();
    if (before === undefined) changes.push(() => addEntry(statements, number, { file, place, hash, facts, text }));
    else if (before.place !== place) changes.push(() => statements.move.run(place, before.rowid));
    await turns.next();
  }
  for (const { rowid } of [...held.values()].flat()) changes.push(() => removeEntry(statements, number, rowid));
  await inTransactions(open.db, [...changes, () => statements.stampFile.run(stamp, file)], turns);
}

interface NewEntry {
  readonly file: number;
  readonly place: number;
  readonly hash: string;
  /** Everything but the text, as JSON. */
  readonly facts: string;
  readonly text: PersonalText;
}

async function inTransactions(db: Database, changes: readonly (() => unknown)[], turns: TimeSlicer): Promise<void> {
  for (let done = 0; done < changes.length;) {
    db.exec("BEGIN");
    try {
      do changes[done++]?.();
      while (done < changes.length && !turns.over);
      db.exec("COMMIT");
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
    await turns.next();
  }
}

function addEntry(statements: Statements, agent: number, entry: NewEntry): void {
  const terms = entryTerms(entry.text);
  const facts = [entry.file, entry.place, entry.hash, entry.facts] as const;
  const row = statements.add.get(...facts, terms.join(" "), entry.text.text);
  statements.addWords.run(Number(row?.["rowid"]), ownTerms(agent, terms));
  statements.countAgent.run(1, terms.length, agent);
}

function removeEntry(statements: Statements, agent: number, rowid: number): void {
  const terms = splitTerms(statements.entry.get(rowid)?.["terms"]);
  statements.removeWords.run(rowid, ownTerms(agent, terms));
  statements.remove.run(rowid);
  statements.countAgent.run(-1, -terms.length, agent);
}

function ownTerms(agent: number, terms: readonly string[]): string {
  return terms.map((term) => ownTerm(agent, term)).join(" ");
}

/** The text an entry is found by: also its name, or its author. */
function entryTerms({ kind, key, source, text }: PersonalText): string[] {
  return termsOf(`${kind === "conversation" ? source : key} ${text}`);
}
