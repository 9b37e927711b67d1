import type { SoulChange } from "../../domain/soul/soul-change.ts";
import type { SoulProposalReads, SoulProposalRecord, SoulProposalWrites } from "../../ports/store/soul-proposal.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function soulProposalReads(db: Connection): SoulProposalReads {
  const selectById = db.get("SELECT * FROM soul_proposal WHERE id = ?");
  const selectList = db.all(
    `SELECT * FROM soul_proposal WHERE (agent = ?1 OR ?1 IS NULL) AND (state = ?2 OR ?2 IS NULL)
     ORDER BY seq DESC LIMIT +?3`,
  );
  const count = db.get("SELECT count(*) AS n FROM soul_proposal WHERE agent = ? AND state = 'open'");
  return {
    async byId(id) {
      const row = await selectById(id);
      return row === undefined ? undefined : toSoulProposal(row);
    },

    async list({ agent = null, state = null, limit }) {
      return (await selectList(agent, state, limit)).map(toSoulProposal);
    },

    async countOpen(agent) {
      return (await count(agent))?.["n"] as number;
    },
  };
}

export function soulProposalWrites(db: WriteConnection): SoulProposalWrites {
  const insert = db.write(
    `INSERT INTO soul_proposal (id, agent, source, author, observation, change, evidence, space, run, heard, outside,
       times, state, decided_by, reason, version, created_at, decided_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.write("UPDATE soul_proposal SET times = ?, evidence = ?, heard = ?, outside = ? WHERE id = ?");
  const decide = db.run(
    `UPDATE soul_proposal SET state = ?, decided_by = ?, reason = ?, version = ?, decided_at = ?
     WHERE id = ? AND state = 'open'`,
  );
  return {
    async add(proposal) {
      await insert(
        proposal.id,
        proposal.agent,
        proposal.source,
        proposal.author,
        proposal.observation,
        JSON.stringify(proposal.change),
        JSON.stringify(proposal.evidence),
        proposal.space,
        proposal.run,
        JSON.stringify(proposal.heard),
        Number(proposal.outside),
        proposal.times,
        proposal.state,
        proposal.decidedBy,
        proposal.reason,
        proposal.version,
        proposal.createdAt,
        proposal.decidedAt,
      );
    },

    async repeat(id, { times, evidence, heard, outside }) {
      await update(times, JSON.stringify(evidence), JSON.stringify(heard), Number(outside), id);
    },

    async decide(id, { state, decidedBy, reason, version, decidedAt }) {
      return (await decide(state, decidedBy, reason, version, decidedAt, id)) === 1;
    },
  };
}

function toSoulProposal(row: Row): SoulProposalRecord {
  return {
    id: row["id"] as string,
    agent: row["agent"] as string,
    source: row["source"] as SoulProposalRecord["source"],
    author: row["author"] as string,
    observation: row["observation"] as string,
    change: JSON.parse(row["change"] as string) as SoulChange,
    evidence: JSON.parse(row["evidence"] as string) as string[],
    space: row["space"] as string | null,
    run: row["run"] as string | null,
    heard: JSON.parse(row["heard"] as string) as string[],
    outside: row["outside"] === 1,
    times: row["times"] as number,
    state: row["state"] as SoulProposalRecord["state"],
    decidedBy: row["decided_by"] as string | null,
    reason: row["reason"] as string | null,
    version: row["version"] as number | null,
    createdAt: row["created_at"] as number,
    decidedAt: row["decided_at"] as number | null,
  };
}
