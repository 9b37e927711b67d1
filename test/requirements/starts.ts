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
    id: "starts.stopped-work",
    source: ["surface"],
    behaviour:
      "Stopping a workspace ends what its agents are doing: their commands end, nothing is posted, and no run counts as answered.",
    faces: ["cli"],
  },
  {
    id: "starts.stopped-agent",
    source: ["surface"],
    behaviour:
      "A stopped agent takes no work until something new comes for it, and a call that waits for a yes is refused, whatever files are edited and over restarts; ls, runs and the waiting caller say that it was stopped.",
    faces: ["cli"],
  },
  {
    id: "starts.daemon-gone",
    source: ["surface"],
    behaviour: "When the daemon ends during a setup, the waiting command says that nothing was begun.",
    faces: ["cli"],
  },
  {
    id: "starts.environment",
    source: ["surface"],
    behaviour:
      "`${{ env.X }}` and setup see the environment of the person who typed the start, for that start only; a schedule and the page use that of the daemon.",
    faces: ["cli", "http"],
  },
  {
    id: "starts.setup-variables",
    source: ["surface"],
    behaviour:
      "Setup commands get the caller's PATH, language and logins such as GH_TOKEN and SSH_AUTH_SOCK; the values are neither stored nor logged.",
    faces: ["cli"],
  },
  {
    id: "starts.env-key",
    source: ["surface"],
    behaviour: "`env` of a workflow names more variables of the caller, or gives their values.",
    faces: ["cli"],
  },
  {
    id: "starts.consent-first",
    source: ["surface"],
    behaviour:
      "No value of a variable is sent before a person has allowed the workflow, and consent names the variables it reads.",
    faces: ["cli"],
  },
  {
    id: "starts.env-file",
    source: ["surface"],
    behaviour:
      "The `.env` of a trusted project fills in what is not set, for names that definitions give and for setup; a line that cannot be used is a warning of `check`.",
    faces: ["cli", "engine"],
  },
  {
    id: "ephemeral.forgotten",
    source: ["surface"],
    behaviour:
      "Agents made with `new` and their conversations are in memory only: they are gone with the daemon or when they are deleted, and an agent that gets the name begins empty.",
    faces: ["cli", "engine"],
  },
  {
    id: "ephemeral.promoted",
    source: ["surface"],
    behaviour:
      "`agent create NAME --from EPHEMERAL` carries the conversation over: the messages and what the engine knows of them.",
    faces: ["cli", "engine"],
  },
  {
    id: "agent.removed-working",
    source: ["surface"],
    behaviour: "An agent whose file is removed while it works is listed with its work, and can be stopped by its name.",
    faces: ["cli"],
  },
  {
    id: "dead.namesake",
    source: ["surface"],
    behaviour: "A dead letter of a deleted agent is given neither to nobody nor to a later agent of its name.",
    faces: ["cli"],
  },
  {
    id: "agent.delete-working",
    source: ["surface"],
    behaviour:
      "Deleting an agent that works needs a yes, stops it at once, makes dead letters of what waits for it, and leaves nothing to a later agent of its name.",
    faces: ["cli", "engine"],
  },
];
