import * as contract from "../../contract/reading/unread.ts";
import type { UnreadView } from "../../contract/reading/unread.ts";
import { PERSON } from "../../domain/message/message.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

/** So many messages of a space are looked at: a person reads "500" as "many". */
const MOST = 500;

/** One question to an index for each workspace and each agent, so the cost does not grow with what was said. */
export const listUnread = query(contract.listUnread, {
  access: persons,

  async execute(_data, ctx) {
    const agents = ctx.services.definitions.agents().map(({ name }) => name);
    const spaces = await ctx.read(async (store) => {
      const marks = new Map((await store.readMarks.list(PERSON)).map(({ space, seq }) => [space, seq]));
      const workspaces = (await store.workspaces.list()).map(({ key }) => key);
      const unread: UnreadView[] = [];
      for (const space of [...workspaces, ...agents]) {
        const readTo = marks.get(space) ?? 0;
        const found = await store.messages.countNew({ space, after: readTo, reader: PERSON, most: MOST });
        if (found.messages > 0) unread.push({ space, ...found, readTo });
      }
      return unread;
    });
    return ok({ spaces });
  },
});
