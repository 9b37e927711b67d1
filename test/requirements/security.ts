import type { Requirement } from "./requirement.ts";

/** What holds when somebody tries to harm the person who uses agent-worker. */
export const security: readonly Requirement[] = [
  {
    id: "trust.rests",
    source: ["proof", "surface"],
    behaviour: "A project that nobody trusted runs nothing, connects to nothing and reads no variable.",
    faces: ["cli"],
  },
  {
    id: "workspace.ours",
    source: ["proof", "surface"],
    behaviour:
      "`.workspace` has mode 0700 and every file in it 0600, whoever makes it and whatever the umask; what an older version left wider is narrowed.",
    faces: ["cli", "http"],
  },
  {
    id: "workspace.unsafe",
    source: ["proof", "surface"],
    behaviour:
      "A link, a second hard link, a pipe or a file of another user in the place of a file of `.workspace` is refused by name, and what it leads to is unchanged.",
    faces: ["cli"],
  },
  {
    id: "workspace.lock",
    source: ["proof"],
    behaviour: "A lock that another user has on a file of the store does not shut its owner out.",
    faces: ["http"],
  },
  {
    id: "workspace.doctor",
    source: ["surface"],
    behaviour:
      "`doctor` names the files of `.workspace` and of the home that are not ours alone; `--fix` narrows modes only.",
    faces: ["cli"],
  },
  {
    id: "home.files",
    source: ["proof"],
    behaviour: "The log, the output and the lock of the daemon are never written through a link.",
    faces: ["cli"],
  },
  {
    id: "cache.ours",
    source: ["proof"],
    behaviour:
      "Code from a cache or a bundle runs only when no other user could have written it; caches are made for the user alone.",
    faces: ["cli"],
  },
];
