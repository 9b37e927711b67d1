import { z } from "zod";
import { resourceView } from "../../contract/resource.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { findAgent } from "../agents/find-agent.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { contentId } from "./resource-content.ts";
import { toResourceView } from "./view.ts";

const MAX_RESOURCE_CHARS = 1024 * 1024;

const TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/i;

/** Known from then on in the space it was created in. The same content is kept once, whoever creates it again. */
export const createResource = proposal({
  name: "create-resource",
  summary: "Keep a large text outside the channel and get an id to refer to it.",
  input: z.object({
    target: z.string().optional().describe("@review, or an agent for its direct messages. Agents: leave it out."),
    content: z.string().min(1, "the resource is empty").max(MAX_RESOURCE_CHARS, "the resource is too long"),
    type: z.string().max(100).regex(TYPE, "a type looks like text/plain").default("text/plain"),
  }),
  output: resourceView,
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
      const { workflow, tag, state } = workspace.value;
      const running = checkRunning({ workflow, tag, running: state === "open", participants: [] });
      if (!running.ok) return running;
    }
    const key = formatSpace(space.value);
    const content = ctx.services.redact(data.content.toWellFormed());
    const id = contentId(content);
    const known = await ctx.store.resources.inSpace(id, key);
    const created = {
      id,
      type: data.type,
      bytes: Buffer.byteLength(content),
      createdBy: callerName(ctx.caller),
      createdAt: ctx.now,
    };
    if (!known) {
      await ctx.store.resources.put(created, content, key);
      await ctx.emit({ type: "resource.created", space: key, resource: id });
    }
    return ok(toResourceView((await ctx.store.resources.byId(id)) ?? created));
  },
});
