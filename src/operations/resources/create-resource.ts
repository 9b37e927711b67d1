import * as contract from "../../contract/resources.ts";
import { IMAGE_NAMES, imageTypeOf, isImageType } from "../../domain/message/image.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
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
    const type = imageCheckedType(data, bytes);
    if (!type.ok) return type;
    const id = contentId(bytes);
    const exists = await ctx.store.resources.inSpace(id, key);
    const created = {
      id,
      type: type.value,
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

/** An image is what its bytes are, whatever it was called: agents are shown it as that. */
function imageCheckedType(
  { type, encoding }: { readonly type: string; readonly encoding: "utf8" | "base64" },
  bytes: Uint8Array,
): Result<string, Refusal> {
  const found = encoding === "base64" ? imageTypeOf(bytes) : null;
  if (found !== null) return ok(found);
  if (encoding === "base64" ? !type.startsWith("image/") : !isImageType(type)) return ok(type);
  return refuse("invalid", `The content is called ${type}, and its bytes are no image of a known type.`, {
    hint: `Known are ${IMAGE_NAMES}. Anything else can be sent as application/octet-stream, and no agent sees it.`,
  });
}
