import { describe, expect, it } from "vitest";
import { z } from "zod";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { refuse } from "../../../src/kernel/refusal.ts";
import { ok } from "../../../src/kernel/result.ts";
import { everyone } from "../../../src/operations/core/access.ts";
import { proposal } from "../../../src/operations/core/define.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import type { StoreReads } from "../../../src/ports/store/store.ts";
import { call, callOk, type TestProject } from "../../support/team/project.ts";
import { openTeam, REVIEW } from "../../support/team/team.ts";

function channel(project: TestProject) {
  return callOk(project, person, peekChannel, { target: "@review" }).then(({ messages }) => messages);
}

async function saysSomething({ messages }: StoreReads): Promise<boolean> {
  return (await messages.page({ space: REVIEW, limit: 1 })).length === 1;
}

describe("what leaves before the commit", () => {
  it("is nothing: a receipt and an event find the message in the store [message.durable-receipt]", async () => {
    const found: Promise<boolean>[] = [];
    await using opened = await openTeam();
    using _observed = opened.events.observe(() => found.push(opened.store.read(saysSomething)));
    const receipt = await callOk(opened, person, sendMessage, { to: "@review", message: "@alice" });
    expect(await Promise.all(found)).toEqual([true]);
    expect(await opened.store.read((store) => store.messages.byId(receipt.id))).toBeDefined();
    await using later = await opened.reopen();
    expect(await channel(later)).toHaveLength(1);
  });

  it("is at most a wake, and whoever it wakes is told of the message only when it is kept", async () => {
    const told: Promise<{ readonly written: boolean; readonly kept: boolean }>[] = [];
    let project: TestProject | undefined;
    const wake = (): void => {
      const store = project?.store;
      if (store === undefined) return;
      const looked = store.transact(async (writes) => ok(await saysSomething(writes)));
      told.push(
        looked.then(async (seen) => ({ written: seen.ok && seen.value, kept: await store.read(saysSomething) })),
      );
    };
    project = await openTeam({ wake });
    await using opened = project;
    await callOk(opened, person, sendMessage, { to: "@review", message: "@alice" });
    expect(await Promise.all(told)).toEqual([{ written: true, kept: true }]);
  });

  it("is nothing of a proposal that is refused, and of a refused part nothing but itself [proposal.compose]", async () => {
    await using project = await openTeam();
    const say = (message: string) => ({ to: "@review", message });
    const compose = (refused: boolean) =>
      proposal(
        { name: "compose", summary: "Two messages, one of them refused.", input: z.object({}), output: z.object({}) },
        {
          access: everyone,
          async execute(_data, ctx) {
            const good = await ctx.propose(sendMessage, say("@alice kept"), systemCaller);
            const bad = await ctx.propose(sendMessage, { to: "zoe@review", message: "x" }, systemCaller);
            if (!good.ok || bad.ok) throw new Error("unexpected");
            return refused ? refuse("conflict", "Not today.") : ok({});
          },
        },
      );
    const before = project.published.length;
    expect(await call(project, person, compose(true), {})).toMatchObject({ ok: false });
    expect(project.published).toHaveLength(before);
    expect(project.woken).toEqual([]);
    expect(await channel(project)).toEqual([]);
    expect(await call(project, person, compose(false), {})).toMatchObject({ ok: true });
    expect((await channel(project)).map(({ content }) => content)).toEqual(["@alice kept"]);
    expect(project.published.slice(before).map(({ type }) => type)).toEqual(["message.posted"]);
    expect(project.woken).toEqual(["alice"]);
  });
});
