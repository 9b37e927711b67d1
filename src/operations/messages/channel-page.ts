import type { z } from "zod";
import type { channelPage } from "../../contract/messages.ts";
import type { Space } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";

export async function readChannelPage(
  store: StoreReads,
  space: Space,
  { since, before, limit, find }: z.output<typeof channelPage>,
): Promise<Result<MessageRecord[], Refusal>> {
  if (space.kind === "workspace") {
    const workspace = await findWorkspace(store, space);
    if (!workspace.ok) return workspace;
  }
  return ok(
    await store.messages.page({
      space: formatSpace(space),
      limit,
      ...(since === undefined ? {} : { after: since }),
      ...(before === undefined ? {} : { before }),
      ...(find === undefined ? {} : { contains: find }),
    }),
  );
}
