import type { SuggestionReads, SuggestionRecord, SuggestionWrites } from "../../ports/store/suggestion.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function suggestionReads(db: Connection): SuggestionReads {
  const selectById = db.get("SELECT * FROM suggestion WHERE id = ?");
  const selectOpen = db.all("SELECT * FROM suggestion WHERE space = ? AND state = 'open' ORDER BY seq LIMIT +?");
  return {
    async byId(id) {
      const row = await selectById(id);
      return row === undefined ? undefined : toSuggestion(row);
    },

    async open({ space, limit }) {
      return (await selectOpen(space, limit)).map(toSuggestion);
    },
  };
}

export function suggestionWrites(db: WriteConnection): SuggestionWrites {
  const insertSuggestion = db.write(
    `INSERT INTO suggestion (id, space, file, way, content, note, base, author, state, decided_by, reason, created_at,
       decided_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const decideSuggestion = db.run(
    "UPDATE suggestion SET state = ?, decided_by = ?, reason = ?, decided_at = ? WHERE id = ? AND state = 'open'",
  );
  return {
    async add(suggestion) {
      await insertSuggestion(
        suggestion.id,
        suggestion.space,
        suggestion.file,
        suggestion.way,
        suggestion.content,
        suggestion.note,
        suggestion.base,
        suggestion.author,
        suggestion.state,
        suggestion.decidedBy,
        suggestion.reason,
        suggestion.createdAt,
        suggestion.decidedAt,
      );
    },

    async decide(id, { state, decidedBy, reason, decidedAt }) {
      return (await decideSuggestion(state, decidedBy, reason, decidedAt, id)) === 1;
    },
  };
}

function toSuggestion(row: Row): SuggestionRecord {
  return {
    id: row["id"] as string,
    space: row["space"] as string,
    file: row["file"] as string,
    way: row["way"] as SuggestionRecord["way"],
    content: row["content"] as string,
    note: row["note"] as string | null,
    base: row["base"] as string | null,
    author: row["author"] as string,
    state: row["state"] as SuggestionRecord["state"],
    decidedBy: row["decided_by"] as string | null,
    reason: row["reason"] as string | null,
    createdAt: row["created_at"] as number,
    decidedAt: row["decided_at"] as number | null,
  };
}
