import type { Store } from "../../ports/store/store.ts";
import { approvalCases } from "./approvals.ts";
import { ballotCases } from "./ballots.ts";
import { bothKindsCases } from "./both-kinds.ts";
import { contentCases } from "./content.ts";
import { conversationCases } from "./conversations.ts";
import { deliveryCases } from "./deliveries/deliveries.ts";
import { deliveryAnswerCases } from "./deliveries/delivery-answers.ts";
import { deliveryRecipientCases } from "./deliveries/delivery-recipients.ts";
import { grantCases } from "./grants.ts";
import { memoryCases } from "./memories.ts";
import { promptCases, promptRetentionCases } from "./prompts.ts";
import { messageCases } from "./messages.ts";
import { readingCases } from "./reading.ts";
import { workspace, write } from "./records.ts";
import { nodeCases } from "./nodes.ts";
import { personalFileCases } from "./personal-files.ts";
import { retentionCases } from "./retention.ts";
import { runCases } from "./runs.ts";
import { scheduleCases } from "./schedules.ts";
import { soulAndRuleCases } from "./souls-and-rules.ts";
import type { CaseProvider, StoreCase } from "./store-case.ts";
import { summaryCases } from "./summaries.ts";
import { transactionCases } from "./transactions.ts";
import { workspaceCases } from "./workspaces.ts";

/** Opens an empty store. The suite closes it. */
export type StoreFactory = () => Promise<Store>;

const CASES: readonly StoreCase[] = [
  ...transactionCases,
  ...messageCases,
  ...readingCases,
  ...deliveryCases,
  ...deliveryAnswerCases,
  ...deliveryRecipientCases,
  ...runCases,
  ...workspaceCases,
  ...ballotCases,
  ...approvalCases,
  ...contentCases,
  ...scheduleCases,
  ...conversationCases,
  ...memoryCases,
  ...promptCases,
  ...summaryCases,
  ...soulAndRuleCases,
  ...grantCases,
  ...nodeCases,
  ...personalFileCases,
];

const PROVIDERS: readonly CaseProvider[] = ["sqlite", "memory"];
const SPACES = ["@review:main", "@review:pr-1", "@a:main", "@b:main", "@c:main", "@other:main", "@zoe:main"];

/**
 * Returns the contract of the Store port as cases for any test runner: each runs on an empty store and throws when the
 * driver breaks it. Cases run twice, with workspaces on disk and in memory; those about both kinds run once.
 *
 *     for (const { name, run } of storeConformance(openMyStore)) it(name, run);
 */
export function storeConformance(open: StoreFactory): readonly { readonly name: string; run(): Promise<void> }[] {
  return PROVIDERS.flatMap((provider) =>
    (provider === "memory" ? CASES : [...CASES, ...bothKindsCases, ...retentionCases, ...promptRetentionCases]).map(
      (each) => ({
        name: provider === "memory" ? `${each.name}, with workspaces in memory` : each.name,
        async run() {
          await using store = await open();
          const spaces = provider === "memory" ? (each.spaces ?? SPACES) : [];
          if (spaces.length > 0) {
            await write(store, async ({ workspaces }) => {
              for (const space of spaces) await workspaces.open(workspace(space, { provider }));
            });
          }
          await each.run(store, provider);
        },
      }),
    ),
  );
}
