import type { WriteTables } from "../tables.ts";
import { EphemeralSchemaNeeded } from "./ephemeral-store.ts";

/** The durable tables as long as there is no schema in memory: whoever needs it is told so. */
export function refuseEphemeral(writes: WriteTables): WriteTables {
  const { workspaces, conversations } = writes;
  return {
    ...writes,
    conversations: {
      ...conversations,
      async place(_agent, where) {
        if (where === "memory") throw new EphemeralSchemaNeeded("There is no schema in memory yet.");
      },
    },
    workspaces: {
      ...workspaces,
      open(workspace) {
        if (workspace.provider === "memory") throw new EphemeralSchemaNeeded("There is no schema in memory yet.");
        return workspaces.open(workspace);
      },
    },
  };
}
