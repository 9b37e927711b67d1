import { systemClock } from "../../../kernel/clock.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { Refused } from "../../refused.ts";

export const store = defineCommand({
  about: [
    "Moves the data of a project to another database: from a file to PostgreSQL, or back. Every row is copied and then",
    "compared. The old data is put aside. A move that was interrupted goes on when the command is repeated. Stop the",
    "daemon first.",
  ].join("\n"),
  words: ["migrate"],
  options: {
    to: { value: "URL|sqlite", about: "Where to: postgres://user@host/database, '$NAME' for a variable, or sqlite" },
  },
  examples: ["agent-worker store migrate --to '$DATABASE_URL'", "agent-worker store migrate --to sqlite"],

  async run({ words: [action, ...more], options: { to }, terminal, projectDir, trust, print }) {
    if (action !== "migrate" || more.length > 0)
      throw new UsageError(`The only thing to do with a store is "migrate".`);
    if (to === undefined) throw new UsageError("--to is missing.", "For example: --to '$DATABASE_URL'");
    const { migrateStore } = await import("../../../daemon/store/migrate-store.ts");
    const moved = await migrateStore({
      projectDir: projectDir(),
      to,
      env: terminal.env,
      trust,
      now: systemClock.now(),
      onProgress: terminal.progress,
    });
    if (!moved.ok) throw new Refused(moved.error);
    const { rows, tables, setting, old } = moved.value;
    const contexts =
      to === "sqlite"
        ? "Then write the personal contexts into files: agent-worker context export\n"
        : "Then bring the personal contexts into the store: agent-worker context import\n";
    const next = `Now write into the project file (moniro.yaml): ${setting}\n${contexts}`;
    return print(
      moved.value,
      `Moved ${rows} rows of ${tables} tables and compared each. The old data is in ${old}.\n${next}`,
    );
  },
});
