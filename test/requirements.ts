/**
 * Everything the product promises, as data. A requirement is cited by a test or listed in `open`; where the source
 * documents disagree, the behaviour is the one that was decided and both sources are named.
 */
import { addressing } from "./requirements/addressing.ts";
import { agents } from "./requirements/agents.ts";
import { begin } from "./requirements/begin.ts";
import { checks } from "./requirements/checks.ts";
import { cli } from "./requirements/cli.ts";
import { compression } from "./requirements/compression.ts";
import { content } from "./requirements/content.ts";
import { controlRoom } from "./requirements/control-room.ts";
import { decisions } from "./requirements/decisions.ts";
import { definitions } from "./requirements/definitions.ts";
import { delivery } from "./requirements/delivery.ts";
import { engines } from "./requirements/engines.ts";
import { execution } from "./requirements/execution.ts";
import { grants } from "./requirements/grants.ts";
import { money } from "./requirements/money.ts";
import { nodes } from "./requirements/nodes.ts";
import { once } from "./requirements/once.ts";
import { outcomes } from "./requirements/outcomes.ts";
import { ownProposals } from "./requirements/own-proposals.ts";
import { guard } from "./requirements/guard.ts";
import { instances } from "./requirements/instances.ts";
import { page } from "./requirements/page.ts";
import { personalContext } from "./requirements/personal-context.ts";
import { recall } from "./requirements/recall.ts";
import { repository } from "./requirements/repository.ts";
import type { Requirement } from "./requirements/requirement.ts";
import { retention } from "./requirements/retention.ts";
import { security } from "./requirements/security.ts";
import { service } from "./requirements/service.ts";
import { starts } from "./requirements/starts.ts";
import { storage } from "./requirements/storage.ts";
import { terminal } from "./requirements/terminal.ts";
import { tools } from "./requirements/tools.ts";
import { trouble } from "./requirements/trouble.ts";
import { votes } from "./requirements/votes.ts";
import { wire } from "./requirements/wire.ts";
import { workflows } from "./requirements/workflows.ts";
import { workspaces } from "./requirements/workspaces.ts";

export type { Face, Requirement, Source } from "./requirements/requirement.ts";
export { open } from "./requirements/open.ts";

export const requirements: readonly Requirement[] = [
  ...addressing,
  ...delivery,
  ...content,
  ...decisions,
  ...votes,
  ...grants,
  ...page,
  ...controlRoom,
  ...agents,
  ...begin,
  ...definitions,
  ...personalContext,
  ...ownProposals,
  ...recall,
  ...compression,
  ...guard,
  ...workflows,
  ...workspaces,
  ...starts,
  ...instances,
  ...storage,
  ...retention,
  ...execution,
  ...engines,
  ...cli,
  ...terminal,
  ...wire,
  ...service,
  ...security,
  ...money,
  ...nodes,
  ...once,
  ...outcomes,
  ...checks,
  ...trouble,
  ...tools,
  ...repository,
];
