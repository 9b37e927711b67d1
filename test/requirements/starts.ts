import type { Requirement } from "./requirement.ts";

/** What starts see and leave behind, and how agents without a file come and go. */
export const starts: readonly Requirement[] = [
  {
    id: "starts.stopped",
    source: ["surface"],
    behaviour:
      "Stopping a workspace during its setup ends the setup with all its processes and the waiting command, and nothing of that start acts later.",
    faces: ["cli"],
  },
  {
    id: "starts.daemon-gone",
    source: ["surface"],
    behaviour: "When the daemon ends during a setup, the waiting command says that nothing was begun.",
    faces: ["cli"],
  },
];
