import type {
  OwnProposalStateReads,
  OwnProposalStateWrites,
} from "../../../ports/store/proposals/own-proposal-state.ts";
import type { Connection, WriteConnection } from "../../connection.ts";

export function ownProposalStateReads(db: Connection): OwnProposalStateReads {
  const select = db.get("SELECT value FROM own_proposal_state WHERE space = ? AND proposal = ?");
  return {
    async find(space, proposal) {
      return (await select(space, proposal))?.["value"] as string | undefined;
    },
  };
}

export function ownProposalStateWrites(db: WriteConnection): OwnProposalStateWrites {
  const upsert = db.write(
    `INSERT INTO own_proposal_state (space, proposal, value) VALUES (?, ?, ?)
     ON CONFLICT (space, proposal) DO UPDATE SET value = excluded.value`,
  );
  const remove = db.write("DELETE FROM own_proposal_state WHERE space = ? AND proposal = ?");
  return {
    async store(space, proposal, value) {
      if (value === null) await remove(space, proposal);
      else await upsert(space, proposal, value);
    },
  };
}
