import { z } from "zod";
import type { Space } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";

const MAX_PAGE = 500;

/** What reading and peeking have in common: which part of which channel. */
export const channelPage = z.object({
  target: z.string().optional().describe("@review, @review:pr-1, or an agent for its direct messages"),
  since: z.int().nonnegative().optional().describe("Only messages after this sequence number."),
  before: z.int().positive().optional().describe("Only messages before this sequence number."),
  limit: z.int().min(1).max(MAX_PAGE).default(50),
  find: z.string().min(1).optional().describe("Only messages that contain this text."),
});

export async function readPage(
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
