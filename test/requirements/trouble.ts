import type { Requirement } from "./requirement.ts";

/** Who waits, for what, since when, until when, and what a person can do. */
export const trouble: readonly Requirement[] = [
  {
    id: "trouble.shown",
    source: ["surface"],
    behaviour:
      "A run that waits for quota, an approval or the next attempt is in ls, status, doctor, inbox, runs show and the log: who, for what, since when, until when, why, and what a person can do.",
    faces: ["cli", "http"],
  },
  {
    id: "trouble.states",
    source: ["surface"],
    behaviour:
      "ls shows for agents of the project and of workflows alike whether they run, wait for a person, are parked until a time, rest or are idle, and what they work on; status counts the same.",
    faces: ["cli", "http"],
  },
  {
    id: "trouble.personal",
    source: ["surface"],
    behaviour:
      "A learned soul that cannot be read, and a file where the personal context should be, are shown by `check`, `ls`, `status` and `doctor`.",
    faces: ["cli"],
  },
  {
    id: "trouble.well",
    source: ["surface"],
    behaviour: "doctor says that all is well only when nothing waits, nothing is broken and nothing is dead.",
    faces: ["cli"],
  },
  {
    id: "trouble.timeouts",
    source: ["surface"],
    behaviour:
      "A model that does not connect, does not begin, stops in the middle or never ends is given up after the limits of the agent, and the reason names the limit; signs of life without content do not count.",
    faces: ["file", "engine"],
  },
  {
    id: "trouble.stream",
    source: ["surface"],
    behaviour:
      "At a terminal run shows words as they come and a status line while nothing is said; elsewhere there are neither.",
    faces: ["cli"],
  },
  {
    id: "trouble.mended-model",
    source: ["surface"],
    behaviour:
      "Work that waits for quota or for its next attempt goes on at once when the definition of its agent is changed.",
    faces: ["file", "engine"],
  },
  {
    id: "trouble.provider-time",
    source: ["surface"],
    behaviour:
      "The time that a provider named, and a used up quota, hold for every message of the agent until its file names another model; one line says that it waits.",
    faces: ["cli"],
  },
  {
    id: "trouble.disk-full",
    source: ["surface"],
    behaviour: "A full disk is said by ls, too.",
    faces: ["cli"],
  },
];
