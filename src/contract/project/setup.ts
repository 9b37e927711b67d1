import { z } from "zod";
import { EXAMPLE_ENGINES } from "../../domain/agent/engines.ts";
import { declareProposal, declareQuery } from "../operation.ts";

/** What a team can run on. */
export const usableEngineView = z.object({
  engine: z.enum(EXAMPLE_ENGINES),
  model: z.string().optional(),
  /** Of a server that speaks chat completions. */
  baseUrl: z.string().optional(),
});
export type UsableEngineView = z.output<typeof usableEngineView>;

export const setupView = z.object({
  /** There is no definition yet: a team can be made from a template. */
  isEmpty: z.boolean(),
  templates: z.array(
    z.object({
      name: z.string(),
      about: z.string(),
      workflow: z.string().nullable(),
      agent: z.string().nullable(),
    }),
  ),
  /** What this machine has, the preferred first. */
  engines: z.array(usableEngineView),
  providers: z.array(
    z.object({
      name: z.string(),
      /** The variable by which the key is known. */
      variable: z.string(),
      /** The daemon has a key of it. */
      ready: z.boolean(),
      /** What `auto` uses. */
      model: z.string().nullable(),
    }),
  ),
});
export type SetupView = z.output<typeof setupView>;

export const findingView = z.object({
  check: z.string(),
  state: z.enum(["ok", "warning", "problem", "fixed"]),
  message: z.string(),
  next: z.string().nullable(),
});
export type FindingView = z.output<typeof findingView>;

const MAX_KEY_CHARS = 8_192;
const provider = z.string().min(1).max(100).describe("anthropic, openai, google, or another one of `providers`");

export const showSetup = declareQuery({
  name: "show-setup",
  summary: "Show what a new project can begin with: templates of teams, and what this machine has to run them on.",
  method: "GET",
  path: "/setup",
  input: z.object({}),
  output: setupView,
});

export const createTeam = declareProposal({
  name: "create-team",
  summary: "Make a team from a template, in a project without definitions, as `init --team` does.",
  method: "POST",
  path: "/setup/team",
  input: z.object({
    team: z.string().describe("The name of a template"),
    engine: z.enum(EXAMPLE_ENGINES).describe("What it runs on; mock needs nothing and says what its script says."),
    model: z.string().trim().min(1).max(200).optional().describe("provider/model; for the model API"),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(1000)
      .optional()
      .describe("A server of your own for the model"),
  }),
  output: z.object({
    team: z.string(),
    files: z.array(z.string()),
    workflow: z.string().nullable(),
    agent: z.string().nullable(),
  }),
});

export const storeKey = declareProposal({
  name: "store-key",
  summary: "Keep the key of a provider of models in your home, for all your projects. It is never shown again.",
  method: "PUT",
  path: "/keys/:provider",
  input: z.object({
    provider,
    value: z
      .string()
      .trim()
      .max(MAX_KEY_CHARS)
      .regex(/^[\x21-\x7e]+$/, "this is not a key: a key is one word without spaces"),
  }),
  output: z.object({ provider: z.string(), place: z.enum(["keyring", "file"]) }),
});

export const removeKey = declareProposal({
  name: "remove-key",
  summary: "Forget the key of a provider that was kept.",
  method: "DELETE",
  path: "/keys/:provider",
  input: z.object({ provider }),
  output: z.object({ provider: z.string() }),
});

export const listFindings = declareQuery({
  name: "list-findings",
  summary: "List what `doctor` finds about this machine, the daemon and the project. Nothing is changed.",
  method: "GET",
  path: "/findings",
  input: z.object({}),
  output: z.object({ findings: z.array(findingView) }),
});

export const openDemo = declareProposal({
  name: "open-demo",
  summary:
    "Make the project of the demo, a scripted team that needs no model, and trust it. Its workflow can be started.",
  method: "POST",
  path: "/demo",
  input: z.object({}),
  output: z.object({
    /** The folder of the project. */
    project: z.string(),
    workflow: z.string(),
  }),
});
