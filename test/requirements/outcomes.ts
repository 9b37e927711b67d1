import type { Requirement } from "./requirement.ts";

/** How a request ended is said by one word, the same everywhere. */
export const outcomes: readonly Requirement[] = [
  {
    id: "outcome.success",
    source: ["surface"],
    behaviour:
      "A request is a success, with exit code 0, only if everything was answered or deliberately left unanswered.",
    faces: ["cli", "http"],
  },
  {
    id: "outcome.incomplete",
    source: ["surface"],
    behaviour:
      "Work that a limit ended is incomplete: the answer, the exit code and the run say so, and what to do next.",
    faces: ["cli", "http"],
  },
  {
    id: "outcome.stopped",
    source: ["surface"],
    behaviour: "What a person stopped is stopped, for everybody who waited for it.",
    faces: ["cli"],
  },
  {
    id: "outcome.parked",
    source: ["surface"],
    behaviour:
      "Work that waits for quota or an approval says so while it waits; serve ends as parked when that takes too long.",
    faces: ["cli", "http"],
  },
  {
    id: "outcome.limit",
    source: ["surface"],
    behaviour:
      "A limit that stops a chain of messages is shown with what to type next; its workspace stays open and a person goes on.",
    faces: ["cli"],
  },
  {
    id: "outcome.nobody-woken",
    source: ["surface"],
    behaviour: "A message that wakes nobody is no success: run ends with exit code 1, and start says so.",
    faces: ["cli", "http"],
  },
  {
    id: "outcome.kickoff",
    source: ["surface"],
    behaviour: "A kickoff that names somebody who does not take part is refused by run and start.",
    faces: ["cli", "http"],
  },
  {
    id: "outcome.no-channel",
    source: ["surface"],
    behaviour: "An answer reaches whoever asked, also from a workspace without a channel.",
    faces: ["cli"],
  },
  {
    id: "outcome.strangers",
    source: ["surface"],
    behaviour: "`run`, `serve` and `start` say that a typed message names somebody who does not take part.",
    faces: ["cli", "http"],
  },
  {
    id: "outcome.own-answer",
    source: ["surface"],
    behaviour: "Each of several callers of one agent gets the answer to its own message, also after a restart.",
    faces: ["cli", "http"],
  },
  {
    id: "outcome.tool-calls",
    source: ["surface"],
    behaviour: "The result of a request lists the tool calls with their arguments.",
    faces: ["http"],
  },
  {
    id: "outcome.caused",
    source: ["surface"],
    behaviour: "The outcome of a message counts everything that it caused in its space, and waits for it.",
    faces: ["cli", "http"],
  },
  {
    id: "outcome.told-once",
    source: ["surface"],
    behaviour: "An agent is woken once by the news that another could not answer it; its next try is not repeated.",
    faces: ["cli"],
  },
  {
    id: "outcome.own-name",
    source: ["surface"],
    behaviour: "An agent that takes part under another name is not woken by its own answer.",
    faces: ["cli"],
  },
];
