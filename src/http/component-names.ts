import { z } from "zod";
import * as agents from "../contract/agents.ts";
import * as approvals from "../contract/approvals.ts";
import * as ballots from "../contract/ballots.ts";
import * as conversations from "../contract/conversations.ts";
import * as documents from "../contract/documents.ts";
import * as feedback from "../contract/feedback.ts";
import * as inbox from "../contract/inbox.ts";
import * as memory from "../contract/memory.ts";
import * as messages from "../contract/messages.ts";
import * as notes from "../contract/notes.ts";
import * as resources from "../contract/resources.ts";
import * as rules from "../contract/rules.ts";
import * as runs from "../contract/runs.ts";
import * as schedules from "../contract/schedules.ts";
import * as souls from "../contract/souls.ts";
import * as todos from "../contract/todos.ts";
import * as trust from "../contract/trust.ts";
import * as usage from "../contract/usage.ts";
import * as workspaces from "../contract/workspaces.ts";

/** The names of the views of the contract in the description of the routes: `runView` is the component `Run`. */
export const componentNames = z.registry<{ id: string }>();

const MODULES: readonly object[] = [
  agents,
  approvals,
  ballots,
  conversations,
  documents,
  feedback,
  inbox,
  memory,
  messages,
  notes,
  resources,
  rules,
  runs,
  schedules,
  souls,
  todos,
  trust,
  usage,
  workspaces,
];
for (const [name, schema] of MODULES.flatMap((module) => Object.entries(module))) {
  if (!name.endsWith("View") || !(schema instanceof z.ZodType)) continue;
  componentNames.add(schema, { id: `${name.charAt(0).toUpperCase()}${name.slice(1, -"View".length)}` });
}
