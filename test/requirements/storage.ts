import type { Requirement } from "./requirement.ts";

/** What survives: the store and the Markdown mirror it can keep. */
export const storage: readonly Requirement[] = [
  {
    id: "store.wal",
    source: ["004", "architecture"],
    behaviour: "The database is one file in WAL mode with full synchronisation, opened by one writer connection.",
    faces: ["store"],
  },
  {
    id: "store.group-commit",
    source: ["architecture"],
    behaviour: "Writes made in one turn of the event loop share one commit, and each caller hears back only after it.",
    faces: ["store"],
  },
  {
    id: "store.rollback",
    source: ["architecture"],
    behaviour:
      "A proposal that fails leaves none of its changes, and its neighbours in the same group commit keep theirs.",
    faces: ["store"],
  },
  {
    id: "store.concurrent-sends",
    source: ["004"],
    behaviour: "Concurrent sends are all kept, each once, in one order all readers agree on.",
    faces: ["store"],
  },
  {
    id: "store.kill",
    source: ["product", "proof"],
    behaviour:
      "After kill -9 at any moment everything that was acknowledged is there and the database opens without repair.",
    faces: ["store"],
  },
  {
    id: "store.migrations",
    source: ["architecture"],
    behaviour: "Migrations are numbered and checksummed, run forward only, and a changed one is refused.",
    faces: ["store"],
  },
  {
    id: "store.migration-copy",
    source: ["architecture"],
    behaviour: "A copy of the database is kept before it is upgraded.",
    faces: ["store"],
  },
  {
    id: "store.migration-kill",
    source: ["proof"],
    behaviour: "A migration killed half-way leaves the old or the new state and the next start finishes it.",
    faces: ["store"],
  },
  {
    id: "store.migration-rows",
    source: ["architecture", "traps"],
    behaviour: "No migration removes rows of the user.",
    faces: ["store"],
  },
  {
    id: "store.newer-refused",
    source: ["architecture", "traps"],
    behaviour: "A database of a newer program is refused before any write, with both versions in the message.",
    faces: ["store"],
  },
  {
    id: "store.sqlite-version",
    source: ["proof"],
    behaviour: "A runtime whose SQLite has the WAL-reset bug is refused at start.",
    faces: ["store"],
  },
  {
    id: "store.integrity",
    source: ["proof"],
    behaviour: "A damaged database is reported with what to do and never silently used or replaced.",
    faces: ["store"],
  },
  {
    id: "store.lost-commits",
    source: ["proof"],
    behaviour: "Commits lost with a damaged log are counted and reported when the database is opened.",
    faces: ["store"],
  },
  {
    id: "store.backup",
    source: ["004"],
    behaviour: "A backup taken while writes go on is complete and opens as a database of its own.",
    faces: ["store"],
  },
  {
    id: "store.disk-full",
    source: ["proof"],
    behaviour:
      "When the disk is full writes fail, nothing is acknowledged, reads go on, and it works again when there is space.",
    faces: ["store"],
  },
  {
    id: "store.disk-failed",
    source: ["proof"],
    behaviour: "After a failed flush the store accepts no further write.",
    faces: ["store"],
  },
  {
    id: "store.bound-parameters",
    source: ["traps"],
    behaviour: "Text from users and agents reaches SQL only as bound parameters.",
    faces: ["store"],
  },
  {
    id: "store.lock",
    source: ["proof"],
    behaviour: "A second process that opens the same project for writing is refused by a held lock.",
    faces: ["store"],
  },
  {
    id: "store.events",
    source: ["architecture"],
    behaviour:
      "Every change appends a durable event with the next number of the project, and events can be read from any number on.",
    faces: ["store"],
  },
  {
    id: "store.conformance",
    source: ["architecture"],
    behaviour: "One conformance suite is run by every implementation of the store, the in-memory one included.",
    faces: ["store"],
  },
  {
    id: "mirror.channel",
    source: ["000", "003", "product"],
    behaviour: "With provider `file` each message is appended to `channel.md` under a heading with time and sender.",
    faces: ["file"],
  },
  {
    id: "mirror.inbox",
    source: ["000", "product"],
    behaviour: "With provider `file` each agent's unsettled deliveries are shown in `inbox/`.",
    faces: ["file"],
  },
  {
    id: "mirror.after-commit",
    source: ["product"],
    behaviour: "The mirror shows only committed messages and catches up after a crash without gaps or repeats.",
    faces: ["file"],
  },
  {
    id: "mirror.one-way",
    source: ["product"],
    behaviour: "Editing or deleting the mirror changes no message, and it is written again from the store.",
    faces: ["file"],
  },
  {
    id: "mirror.forged-heading",
    source: ["003", "proof"],
    behaviour: "A message whose text looks like a heading of another sender cannot be taken for one in the mirror.",
    faces: ["file"],
  },
  {
    id: "mirror.file-name",
    source: ["003", "product"],
    behaviour: "The old `context.channel.file` chooses the name of the mirror's file.",
    faces: ["file"],
  },
];
