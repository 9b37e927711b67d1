import type { FeedbackReads, FeedbackWrites } from "../../ports/store/feedback.ts";
import type { Connection, WriteConnection } from "../connection.ts";

export function feedbackReads(db: Connection): FeedbackReads {
  const selectLast = db.all("SELECT * FROM feedback ORDER BY seq DESC LIMIT +?");
  return {
    async list(limit) {
      return (await selectLast(limit)).map((row) => ({
        id: row["id"] as string,
        agent: row["agent"] as string,
        space: row["space"] as string,
        run: row["run"] as string | null,
        type: row["type"] as string,
        description: row["description"] as string,
        createdAt: row["created_at"] as number,
      }));
    },
  };
}

export function feedbackWrites(db: WriteConnection): FeedbackWrites {
  const insertFeedback = db.write(
    "INSERT INTO feedback (id, agent, space, run, type, description, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  return {
    async add({ id, agent, space, run, type, description, createdAt }) {
      await insertFeedback(id, agent, space, run, type, description, createdAt);
    },
  };
}
