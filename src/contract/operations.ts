import type { z } from "zod";
import * as agents from "./agents.ts";
import * as approvals from "./approvals.ts";
import * as ballots from "./ballots.ts";
import * as conversations from "./conversations.ts";
import * as setup from "./project/setup.ts";
import * as definitionFiles from "./project/definition-files.ts";
import * as decisions from "./decisions/waiting-decisions.ts";
import * as deadLetters from "./dead-letters.ts";
import * as documents from "./documents.ts";
import * as feedback from "./feedback.ts";
import * as grants from "./spaces/grants.ts";
import * as inbox from "./inbox.ts";
import * as memory from "./memory.ts";
import * as memoryChanges from "./personal/memory-changes.ts";
import * as messages from "./messages.ts";
import * as nodes from "./cluster/nodes.ts";
import * as notes from "./notes.ts";
import type { OperationDeclaration } from "./operation.ts";
import * as ownProposals from "./proposals/own-proposals.ts";
import * as resources from "./resources.ts";
import * as retryRun from "./activity/retry-run.ts";
import * as rules from "./rules.ts";
import * as runCalls from "./activity/run-calls.ts";
import * as runs from "./runs.ts";
import * as schedules from "./schedules.ts";
import * as souls from "./souls.ts";
import * as spaces from "./spaces/sub-spaces.ts";
import * as search from "./reading/search.ts";
import * as storedData from "./storage/stored-data.ts";
import * as todos from "./todos.ts";
import * as timeline from "./activity/timeline.ts";
import * as trust from "./trust.ts";
import * as unread from "./reading/unread.ts";
import * as usage from "./usage.ts";
import * as usageHistory from "./activity/usage-history.ts";
import * as workspaces from "./workspaces.ts";
import * as worktrees from "./git/worktrees.ts";

/** The files of this folder that declare operations, in the order in which people see them. */
const nouns = [
  messages,
  search,
  unread,
  inbox,
  workspaces,
  spaces,
  agents,
  definitionFiles,
  memory,
  memoryChanges,
  notes,
  todos,
  souls,
  conversations,
  documents,
  resources,
  worktrees,
  ballots,
  rules,
  grants,
  ownProposals,
  decisions,
  approvals,
  schedules,
  deadLetters,
  feedback,
  runs,
  retryRun,
  runCalls,
  timeline,
  usage,
  usageHistory,
  storedData,
  nodes,
  trust,
  setup,
] as const;

type Exported<Module> = Module extends unknown ? Module[keyof Module] : never;
type DeclaredOperation = Extract<Exported<(typeof nouns)[number]>, OperationDeclaration>;

/** Every operation by its name, with its own types. */
export type Operations = { readonly [Operation in DeclaredOperation as Operation["name"]]: Operation };
export type OperationName = keyof Operations;
export type OperationInput<Name extends OperationName> = z.input<Operations[Name]["input"]>;
export type OperationOutput<Name extends OperationName> = z.output<Operations[Name]["output"]>;

/**
 * Every operation that clients can call: by noun in the order above, and by name within a noun. Operations that only
 * the system calls (runs, schedules, expiry) are not included.
 */
export const operations: readonly (OperationDeclaration & { readonly name: OperationName })[] = nouns.flatMap((noun) =>
  Object.values(noun)
    .filter(isDeclaration)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
);

function isDeclaration(exported: object): exported is DeclaredOperation {
  return "kind" in exported && "method" in exported;
}
