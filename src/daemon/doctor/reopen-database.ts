import { connectToDaemon } from "../../client/connect.ts";
import type { Clock } from "../../kernel/clock.ts";
import { fine, fixed, wrong, type Finding } from "./finding.ts";

export interface ReopenParts {
  readonly home: string;
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** Lets the running daemon open the database that is there now, or an empty one. */
export async function reopenDatabase({ home, projectDir, env, clock }: ReopenParts): Promise<Finding[]> {
  using client = await connectToDaemon({ home, projectDir, env, clock });
  const reopened = await client.call("reopen-store", {});
  if (!reopened.ok) {
    const { code, message, hint } = reopened.error;
    return [code === "conflict" ? fine("database", message) : wrong("database", message, hint ?? "Then look again.")];
  }
  const { begins } = reopened.value;
  return [
    fixed(
      "database",
      begins === "empty"
        ? "the project begins with an empty database"
        : "the project goes on with the database that is there now",
    ),
  ];
}
