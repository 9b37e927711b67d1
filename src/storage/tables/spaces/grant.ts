import type { HeldGrant } from "../../../domain/grant/grant.ts";
import type { GrantReads, GrantWrites } from "../../../ports/store/spaces/grant.ts";
import type { Connection, Row, WriteConnection } from "../../connection.ts";

export function grantReads(db: Connection): GrantReads {
  const selectInSpace = db.all("SELECT * FROM held_grant WHERE space = ? ORDER BY position");
  const selectOf = db.all("SELECT * FROM held_grant WHERE space = ? AND agent = ? ORDER BY position");
  return {
    async inSpace(space) {
      return (await selectInSpace(space)).map(toHeld);
    },

    async of(space, agent) {
      return (await selectOf(space, agent)).map(toHeld);
    },
  };
}

export function grantWrites(db: WriteConnection): GrantWrites {
  const deleteAll = db.write("DELETE FROM held_grant WHERE space = ?");
  const insert = db.write(
    "INSERT INTO held_grant (space, position, agent, tool, hand_on, given_by) VALUES (?, ?, ?, ?, ?, ?)",
  );
  return {
    async replace(space, held) {
      await deleteAll(space);
      for (const [position, { agent, tool, handOn, givenBy }] of held.entries())
        await insert(space, position, agent, tool, Number(handOn), givenBy);
    },
  };
}

function toHeld(row: Row): HeldGrant {
  return {
    agent: row["agent"] as string,
    tool: row["tool"] as string,
    handOn: row["hand_on"] === 1,
    givenBy: row["given_by"] as string,
  };
}
