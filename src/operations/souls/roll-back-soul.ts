import * as contract from "../../contract/souls.ts";
import { differenceOf } from "../../domain/soul/learned-soul.ts";
import { learnedAt, withVersion } from "../../domain/soul/soul-history.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { StagedSoul } from "../../ports/soul-file.ts";
import { callerName, persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { toSoulVersionView } from "./view.ts";

const ATTEMPTS = 5;

/** Restores what an earlier version had learned, as a new version: the history stays complete. */
export const rollBackSoul = proposal(contract.rollBackSoul, {
  access: persons,
  attempts: ATTEMPTS,

  async prepare({ agent, version, why }, ctx) {
    const owner = await personalOwner(ctx, agent);
    if (!owner.ok) return owner;
    const reason = why === undefined || why === "" ? "" : ` ${ctx.services.redact(why)}`;
    return owner.value.context.soul.stage((state) => {
      const target = learnedAt(state.versions, version);
      if (!target.ok) return target;
      const changes = differenceOf(state.learned, target.value);
      if (changes.length === 0) {
        return refuse("conflict", `The soul of ${agent} is as it was in version ${version}.`, {
          hint: `See: agent-worker agent soul ${agent} history`,
        });
      }
      return ok(
        withVersion(state, changes, {
          at: new Date(ctx.now).toISOString(),
          by: callerName(ctx.caller),
          why: `Back to version ${version}.${reason}`,
          evidence: [],
          proposal: null,
        }),
      );
    });
  },
  abandon: (staged: StagedSoul) => staged.discard(),

  async execute({ agent }, ctx, staged) {
    const made = staged.state.versions.at(-1);
    if (made === undefined) throw new Error("A staged soul has the version that was staged.");
    await ctx.emit({ type: "soul.changed", agent, version: made.version, by: callerName(ctx.caller) });
    const published = await staged.publish(ctx.store);
    return published.ok ? ok({ agent, version: toSoulVersionView(made) }) : published;
  },
});
