import * as contract from "../../contract/resources.ts";
import { formatSpace } from "../../domain/message/space.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { textPage } from "../core/text-page.ts";
import { toResourceView } from "./view.ts";

/**
 * An agent reads the resources of its own space. A person names a space, or reads by id alone. The refusal does not say
 * whether the resource exists elsewhere.
 */
export const readResource = query(contract.readResource, {
  access: everyone,

  async execute({ id, target, offset, limit }, ctx) {
    const space = readingSpace(target, ctx.caller);
    if (!space.ok) return space;
    const resource = await ctx.read((store) => load(store, id, space.value));
    if (resource === undefined) {
      return refuse("not_found", `There is no resource ${id} here.`, {
        hint: "Take the id from a message of this space, as in [resource:ID].",
      });
    }
    return ok({ ...toResourceView(resource.record), offset, ...textPage(resource.content, offset, limit) });
  },
});

/** Returns null for any space. */
function readingSpace(target: string | undefined, caller: Caller): Result<string | null, Refusal> {
  if (target === undefined && caller.kind !== "agent") return ok(null);
  const space = callerSpace(target, caller);
  return space.ok ? ok(formatSpace(space.value)) : space;
}

async function load(store: StoreReads, id: string, space: string | null) {
  if (space !== null && !(await store.resources.inSpace(id, space))) return undefined;
  const record = await store.resources.byId(id);
  const content = await store.resources.content(id);
  return record === undefined || content === undefined ? undefined : { record, content };
}
