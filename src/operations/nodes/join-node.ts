import { z } from "zod";
import { isLive } from "../../domain/node/node.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** A node that is gone for so long is not listed any more. */
const FORGOTTEN_MS = 7 * 86_400_000;

/**
 * Registers this node, before it does anything else. Refused while another node of that name is there. Where nobody else
 * can have the store open, all earlier nodes have ended, whatever their rows say.
 */
export const joinNode = proposal(
  {
    name: "join-node",
    summary: "Register the node that this daemon is.",
    input: z.object({ leaseMs: z.int().min(1) }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute({ leaseMs }, ctx) {
      const { node } = ctx.services;
      const facts = node.facts();
      const time = await ctx.store.time();
      for (const other of await ctx.store.nodes.list()) {
        const isThere = isLive(other, time) && other.machine !== facts.machine;
        if (other.name === facts.name && !node.alone && isThere) {
          return refuse("conflict", `Another node of this project is called "${facts.name}", and it is there.`, {
            hint: "Choose another name: agent-worker daemon start --node NAME. Or stop the other one first.",
            details: { name: facts.name, startedAt: new Date(other.startedAt).toISOString() },
          });
        }
        const isForgotten = !isLive(other, time) && time - other.beatAt > FORGOTTEN_MS;
        if (node.alone || isForgotten) await ctx.store.nodes.remove(other.name);
      }
      await ctx.store.nodes.put({ ...facts, startedAt: time, beatAt: time, leaseMs, leftAt: null });
      node.see(await ctx.store.nodes.list(), time);
      return ok({});
    },
  },
);
