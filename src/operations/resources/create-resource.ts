import * as contract from "../../contract/resources.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { ok } from "../../kernel/result.ts";
import { findAgent } from "../agents/find-agent.ts";
import { callerName, everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { contentId } from "./content-id.ts";
import { toResourceView } from "./view.ts";

/** A resource can be read in the spaces it was created in. The same content is stored once. */
export const createResource = proposal(contract.createResource, {
  access: everyone,

  async prepare(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    if (space.value.kind === "workspace" || ctx.caller.kind === "agent") return ok(undefined);
    const agent = await findAgent(ctx.services.definitions, space.value.agent);
    return agent.ok ? ok(undefined) : agent;
  },

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    if (space.value.kind === "workspace") {
      const workspace = await findWorkspace(ctx.store, space.value);
      if (!workspace.ok) return workspace;
      const running = checkRunning({ ...workspace.value, running: workspace.value.state === "open", participants: [] });
      if (!running.ok) return running;
    }
    const key = formatSpace(space.value);
    const { encoding } = data;
    // Bytes are kept as they are: redaction knows only text.
    const content = encoding === "base64" ? data.content : ctx.services.redact(data.content.toWellFormed());
    const bytes = Buffer.from(content, encoding);
    const id = contentId(bytes);
    const exists = await ctx.store.resources.inSpace(id, key);
    const created = {
      id,
      type: data.type,
      encoding,
      bytes: bytes.length,
      createdBy: callerName(ctx.caller),
      createdAt: ctx.now,
    };
    if (!exists) {
      await ctx.store.resources.put(created, content, key);
      await ctx.emit({ type: "resource.created", space: key, resource: id });
    }
    return ok(toResourceView((await ctx.store.resources.byId(id)) ?? created));
  },
});
