import { Fault } from "../../kernel/fault.ts";
import type { ServerConnection } from "./server-connection.ts";

/** A schema that is being filled, or whose store was moved away, says so in its comment: it is no store to be opened. */
export const UNFINISHED = "unfinished copy of";
const PREFIX = "agent-worker: ";

export async function readTransferMark(connection: ServerConnection, schema: string): Promise<string | null> {
  const [row] = await connection.execute(
    `SELECT obj_description(to_regnamespace('"${schema}"')::oid, 'pg_namespace') AS mark`,
  );
  const mark = row?.["mark"] as string | null | undefined;
  return mark?.startsWith(PREFIX) === true ? mark.slice(PREFIX.length) : null;
}

export async function setTransferMark(
  connection: ServerConnection,
  schema: string,
  mark: string | null,
): Promise<void> {
  await connection.execute(`COMMENT ON SCHEMA "${schema}" IS ${mark === null ? "NULL" : `'${PREFIX}${mark}'`}`);
}

/** Throws when the schema is not a store that is whole and in use. */
export async function refuseTransferred(connection: ServerConnection, schema: string): Promise<void> {
  const mark = await readTransferMark(connection, schema);
  if (mark === null) return;
  const isUnfinished = mark.startsWith(UNFINISHED);
  throw new Fault(
    "database_gone",
    isUnfinished
      ? `The schema "${schema}" holds a copy that was not finished.`
      : `The store in the schema "${schema}" was moved away.`,
    {
      hint: isUnfinished
        ? "Finish it with the command that began it: agent-worker store migrate"
        : `Use the store where it is now, or another schema. To remove the old one: DROP SCHEMA "${schema}" CASCADE;`,
    },
  );
}
