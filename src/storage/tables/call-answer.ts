import type { CallAnswerReads, CallAnswerWrites } from "../../ports/store/call-answer.ts";
import type { Connection, WriteConnection } from "../connection.ts";

export function callAnswerReads(db: Connection): CallAnswerReads {
  const selectOne = db.get("SELECT answer, change FROM call_answer WHERE run = ? AND call = ?");
  return {
    async find(run, call) {
      const row = await selectOne(run, call);
      if (row === undefined) return undefined;
      return { answer: row["answer"] as string | null, change: row["change"] as string | null };
    },
  };
}

export function callAnswerWrites(db: WriteConnection): CallAnswerWrites {
  const putAnswer = db.write(
    `INSERT INTO call_answer (run, call, answer) VALUES (?, ?, ?)
     ON CONFLICT (run, call) DO UPDATE SET answer = excluded.answer`,
  );
  const putChange = db.write(
    `INSERT INTO call_answer (run, call, change) VALUES (?, ?, ?)
     ON CONFLICT (run, call) DO UPDATE SET change = excluded.change`,
  );
  const deleteOne = db.write("DELETE FROM call_answer WHERE run = ? AND call = ?");
  const deleteAll = db.write("DELETE FROM call_answer WHERE run = ?");
  return {
    async storeAnswer(run, call, answer) {
      await putAnswer(run, call, answer);
    },
    async storeChange(run, call, change) {
      await putChange(run, call, change);
    },
    async forget(run, call) {
      if (call === undefined) await deleteAll(run);
      else await deleteOne(run, call);
    },
  };
}
