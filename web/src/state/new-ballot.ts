import type { OperationInput } from "../../../src/contract/operations.ts";

/** What the person has written into the form for a new ballot. */
export interface BallotForm {
  readonly target: string;
  readonly title: string;
  /** One option per line. Empty: every participant is an option. */
  readonly options: string;
  /** What follows for the chosen one. */
  readonly follows: "" | "document-owner" | "role" | "assign";
  /** The role or the task. */
  readonly followsText: string;
  /** Empty: every voter. */
  readonly quorum: string;
  /** The person votes, too. */
  readonly withPerson: boolean;
}

export const EMPTY_BALLOT: Omit<BallotForm, "target"> = {
  title: "",
  options: "",
  follows: "",
  followsText: "",
  quorum: "",
  withPerson: false,
};

/** Returns the input of `create-ballot`; the daemon checks it. */
export function ballotInput(form: BallotForm, participants: readonly string[]): OperationInput<"create-ballot"> {
  const written = form.options
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const { target, title, follows, followsText, quorum, withPerson } = form;
  return {
    target,
    title,
    type: follows === "assign" ? "assignment" : written.length === 0 ? "election" : "decision",
    options: written.length === 0 ? [...participants] : written,
    ...(follows === "" ? {} : { then: follows === "document-owner" ? follows : `${follows}: ${followsText}` }),
    ...(quorum === "" ? {} : { quorum: Number(quorum) }),
    ...(withPerson ? { voters: [...participants, "user"] } : {}),
  };
}
