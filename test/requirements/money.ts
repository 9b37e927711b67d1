import type { Requirement } from "./requirement.ts";

/** What work costs, and what stops it. */
export const money: readonly Requirement[] = [
  {
    id: "money.estimated",
    source: ["surface"],
    behaviour: "A cost that an engine does not report is estimated by a dated price list, and marked as estimated.",
    faces: ["cli"],
  },
  {
    id: "money.prices",
    source: ["surface"],
    behaviour: "`prices` in the project file count before the price list.",
    faces: ["cli"],
  },
  {
    id: "money.unknown",
    source: ["surface"],
    behaviour: "A cost that nobody knows is shown as unknown, never as nothing.",
    faces: ["cli"],
  },
  {
    id: "money.budget",
    source: ["surface"],
    behaviour: "A budget of dollars stops the work on every engine.",
    faces: ["cli"],
  },
  {
    id: "money.unknown-budget",
    source: ["surface"],
    behaviour: "A budget of dollars ends the work after one step whose cost is unknown; `check` warns of it.",
    faces: ["cli"],
  },
  {
    id: "money.fallback",
    source: ["surface"],
    behaviour:
      "With `model: [first, second]` a run goes on with the next model when one has no quota, is out of order or refuses; the run and the channel say so.",
    faces: ["cli"],
  },
  {
    id: "money.fallback-again",
    source: ["surface"],
    behaviour: "A model that has just failed is not asked first by the next runs.",
    faces: ["cli"],
  },
  {
    id: "money.later-price",
    source: ["surface"],
    behaviour: "A price that is added later counts for the steps before, so that a budget of dollars can be mended.",
    faces: ["cli"],
  },
  {
    id: "money.fallback-said",
    source: ["surface"],
    behaviour: "Every conversation and every run says that a model which failed is passed over, and why.",
    faces: ["cli"],
  },
  {
    id: "money.withheld",
    source: ["surface"],
    behaviour: "When a content filter withheld a whole answer, the next model of the list is asked.",
    faces: ["cli"],
  },
];
