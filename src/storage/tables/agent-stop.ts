import type { AgentStopReads, AgentStopRecord, AgentStopWrites } from "../../ports/store/agent-stop.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function agentStopReads(db: Connection): AgentStopReads {
  const selectOne = db.get("SELECT * FROM agent_stop WHERE mailbox = ?");
  const selectAll = db.all("SELECT * FROM agent_stop ORDER BY mailbox");
  return {
    async ofMailbox(mailbox) {
      const row = await selectOne(mailbox);
      return row === undefined ? undefined : toStop(row);
    },
    async list() {
      return (await selectAll()).map(toStop);
    },
  };
}

export function agentStopWrites(db: WriteConnection): AgentStopWrites {
  const upsert = db.write(
    "INSERT INTO agent_stop (mailbox, at) VALUES (?, ?) ON CONFLICT (mailbox) DO UPDATE SET at = excluded.at",
  );
  const deleteOne = db.write("DELETE FROM agent_stop WHERE mailbox = ?");
  return {
    async add({ mailbox, at }) {
      await upsert(mailbox, at);
    },
    async remove(mailbox) {
      await deleteOne(mailbox);
    },
  };
}

function toStop(row: Row): AgentStopRecord {
  return { mailbox: row["mailbox"] as string, at: row["at"] as number };
}
