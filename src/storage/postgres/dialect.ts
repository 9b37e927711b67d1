const WITH_SEQ = [
  "approval",
  "ballot",
  "delivery",
  "event",
  "feedback",
  "guard_use",
  "memory_change",
  "memory_question",
  "message",
  "rule",
  "run",
  "soul_proposal",
  "suggestion",
  "vote",
];
const NUMBERED = new RegExp(
  `\\bINSERT INTO ((?:[\\w"]+\\.)?(${WITH_SEQ.join("|")})) \\((?!seq)([^)]+)\\)\\s+VALUES \\(`,
  "g",
);

/**
 * Translates a statement of the tables, which is written in what SQLite and PostgreSQL have in common:
 * - `?` and `?2` are parameters; a `+` before a parameter or a column is a remark for the planner of SQLite.
 * - `IS ?` and `IS NOT ?` compare values of which either may be null.
 * - A row of a table with a `seq` gets the next number. Transactions of a project happen one after another, so this is
 *   the newest number plus one, without gaps.
 * - `instr` finds a text in another, `INDEXED BY` names an index, `->>` reads a member of a JSON text.
 */
export function toPostgres(sql: string): string {
  let position = 0;
  return sql
    .replace(NUMBERED, "INSERT INTO $1 (seq, $3) VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM $1), ")
    .replace(/ INDEXED BY \w+/g, "")
    .replace(/(?<=[\s(,])\+(?=[?a-z])/g, "")
    .replace(/\bIS NOT (?=\?)/g, "IS DISTINCT FROM ")
    .replace(/\bIS (?=\?)/g, "IS NOT DISTINCT FROM ")
    .replace(/\binstr\(/g, "strpos(")
    .replace(/\b(\w+) ->> /g, "$1::json ->> ")
    .replace(/\?(\d*)/g, (_all, number: string) => `$${number === "" ? (position += 1) : number}`);
}

/** Translates a migration of SQLite that makes or changes tables. */
export function toPostgresSchema(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, "")
    .replace(/\)\s*STRICT(\s*,\s*WITHOUT ROWID)?\s*;/g, ");")
    .replace(/\bseq\s+INTEGER PRIMARY KEY\b/g, "seq BIGINT PRIMARY KEY")
    .replace(/\bINTEGER\b/g, "BIGINT")
    .replace(/\bREAL\b/g, "DOUBLE PRECISION")
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replace(/\n\s*\n+/g, "\n");
}
