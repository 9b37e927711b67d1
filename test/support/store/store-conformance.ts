import type { Store } from "../../../src/ports/store/store.ts";
import { approvalCases } from "./store-conformance/approvals.ts";
import { ballotCases } from "./store-conformance/ballots.ts";
import { contentCases } from "./store-conformance/content.ts";
import { conversationCases } from "./store-conformance/conversations.ts";
import { deliveryCases } from "./store-conformance/deliveries.ts";
import { memoryCases } from "./store-conformance/memories.ts";
import { messageCases } from "./store-conformance/messages.ts";
import { runCases } from "./store-conformance/runs.ts";
import { scheduleCases } from "./store-conformance/schedules.ts";
import { soulAndRuleCases } from "./store-conformance/souls-and-rules.ts";
import { transactionCases } from "./store-conformance/transactions.ts";
import { workspaceCases } from "./store-conformance/workspaces.ts";

/**
 * What every driver of the Store port has to do, as data: a driver's test runs each case on an empty store. A case
 * knows the port only, and throws when the promise is broken.
 */
export interface StoreCase {
  readonly name: string;
  readonly run: (open: StoreFactory) => Promise<void>;
}

/** An empty store, closed by the case. */
export type StoreFactory = () => Promise<Store>;

export const storeConformance: readonly StoreCase[] = [
  ...transactionCases,
  ...messageCases,
  ...deliveryCases,
  ...runCases,
  ...workspaceCases,
  ...ballotCases,
  ...approvalCases,
  ...contentCases,
  ...scheduleCases,
  ...conversationCases,
  ...memoryCases,
  ...soulAndRuleCases,
];
