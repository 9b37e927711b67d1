import { ok } from "../../kernel/result.ts";
import type { Read } from "../core/define.ts";

/** The `prepare` of proposals from which an own one may follow: its file may have changed, and a transaction cannot wait. */
export async function refreshOwnProposals(_data: unknown, { services }: Pick<Read, "services">) {
  await services.ownProposals.refresh();
  return ok(undefined);
}
