import * as contract from "../../contract/spaces/sub-spaces.ts";
import { splitTag } from "../../domain/workspace/sub-space.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { toMessageView } from "../messages/view.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { subSpaceView } from "./view.ts";

/** Whoever takes part in a workspace may read what is said in its sub-spaces. */
export const listSpaces = query(contract.listSpaces, {
  access: participants,

  async execute({ target, name, limit }, ctx) {
    const space = callerSpace(target, ctx.caller);
    if (!space.ok) return space;
    const place = space.value.kind === "dm" ? space.value : { ...space.value, tag: splitTag(space.value.tag).tag };
    return ctx.read(async (store) => {
      const workspace = await findWorkspace(store, place);
      if (!workspace.ok) return workspace;
      const spaces: contract.SubSpaceView[] = [];
      for (const record of await store.workspaces.within(workspace.value))
        spaces.push(await subSpaceView(store, record));
      if (name === undefined) return ok({ spaces, messages: [] });
      const found = spaces.find((each) => each.name === name || each.address === name || each.space === name);
      if (found === undefined) {
        const names = spaces.map((each) => each.name).join(", ") || "none";
        return refuse("not_found", `There is no space "${name}" in @${displayWorkspace(workspace.value)}.`, {
          hint: `There are: ${names}.`,
        });
      }
      const messages = await store.messages.page({ space: found.space, limit });
      return ok({ spaces: [found], messages: messages.map(toMessageView) });
    });
  },
});
