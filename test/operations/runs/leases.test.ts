import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { listDeadLetters } from "../../../src/operations/dead-letters/list-dead-letters.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import type { BegunRun } from "../../../src/operations/runs/begin-run.ts";
import { recoverRuns } from "../../../src/operations/runs/recover-runs.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { nextWork } from "../../support/team/leased-run.ts";
import { openTeam, REVIEW, TEAM } from "../../support/team/team.ts";

const MAX_ATTEMPTS = 5;

const HOLDER = "own_1";

async function begin(project: TestProject, leaseOwner = HOLDER): Promise<BegunRun | null> {
  return (await nextWork(project, { mailbox: "alice", leaseOwner })).begun;
}

/** Takes what is next and answers it: a mailbox has one open run. */
async function taken(project: TestProject): Promise<string[]> {
  const begun = await begin(project);
  if (begun !== null) {
    const { id: run, space, leaseOwner, fence } = begun.run;
    const result = { kind: "done", text: "" } as const;
    await callOk(project, systemCaller, settleRun, { run, space, leaseOwner, fence, result });
  }
  const messages = await project.store.read(async (store) =>
    Promise.all((begun?.deliveries ?? []).map(({ message }) => store.messages.byId(message))),
  );
  return messages.map((message) => message?.body ?? "");
}

function send(project: TestProject, to: string, message: string) {
  return callOk(project, person, sendMessage, { to, message });
}

function fail(project: TestProject, { run }: BegunRun, kind: "transient" | "permanent" = "transient") {
  const result = { kind: "failed", class: kind, message: "no luck" } as const;
  return callOk(project, systemCaller, settleRun, {
    run: run.id,
    space: run.space,
    leaseOwner: run.leaseOwner,
    fence: run.fence,
    result,
  });
}

async function only(project: TestProject) {
  const { deliveries } = await callOk(project, person, readInbox, { target: "alice" });
  expect(deliveries).toHaveLength(1);
  return deliveries[0];
}

describe("a lease", () => {
  it("goes to the most urgent delivery of all spaces, and to the oldest of its lane [delivery.lease-best] [lane.fifo]", async () => {
    await using project = await openTeam();
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    await send(project, "alice@review", "normal, first of all");
    await send(project, "@review:two", "@alice urgent, first");
    await send(project, "alice", "urgent, second");
    expect(await taken(project)).toEqual(["@alice urgent, first"]);
    expect(await taken(project)).toEqual(["urgent, second"]);
    expect(await taken(project)).toEqual(["normal, first of all"]);
    expect(await taken(project)).toEqual([]);
  });

  it("takes along what else is due in the same workspace, and in no other [delivery.lease-siblings]", async () => {
    await using project = await openTeam();
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    await send(project, "alice@review", "one");
    await send(project, "alice@review:two", "elsewhere");
    await send(project, "@review", "@alice two");
    await send(project, "@review", "@bob not for her");
    expect((await taken(project)).toSorted()).toEqual(["@alice two", "one"]);
    expect(await taken(project)).toEqual(["elsewhere"]);
  });

  it("belongs to its owner: one that lost it settles nothing any more [delivery.lease-holder]", async () => {
    await using project = await openTeam();
    await send(project, "alice", "hello");
    const first = await begin(project, "own_dead");
    if (first === null) throw new Error("nothing leased");
    expect(first.deliveries.map(({ leaseOwner }) => leaseOwner)).toEqual(["own_dead"]);
    await callOk(project, systemCaller, recoverRuns, { leaseOwner: "own_new" });
    const second = await begin(project, "own_new");
    expect(second?.deliveries.map(({ id }) => id)).toEqual(first.deliveries.map(({ id }) => id));
    const { run } = first;
    const settle = {
      run: run.id,
      space: run.space,
      leaseOwner: "own_dead",
      fence: run.fence,
      result: { kind: "done", text: "late" },
    };
    expect(await callRefused(project, systemCaller, settleRun, settle)).toMatchObject({ code: "lease_lost" });
    expect(await only(project)).toMatchObject({ state: "leased" });
  });

  it("that ends without success gives the delivery back, with one more attempt counted [delivery.release-redelivers]", async () => {
    await using project = await openTeam();
    await send(project, "alice", "hello");
    const begun = await begin(project);
    if (begun === null) throw new Error("nothing leased");
    expect(await only(project)).toMatchObject({ state: "leased", attempts: 0 });
    await fail(project, begun);
    expect(await only(project)).toMatchObject({ state: "pending", attempts: 1 });
  });

  it("is not given before the time of the retry, and is given after it [delivery.not-before]", async () => {
    await using project = await openTeam();
    await send(project, "alice", "hello");
    const begun = await begin(project);
    if (begun === null) throw new Error("nothing leased");
    const { resumeAt } = await fail(project, begun);
    if (resumeAt === null) throw new Error("not to be retried");
    expect(resumeAt).toBeGreaterThan(project.clock.now());
    project.clock.set(resumeAt - 1);
    expect(await nextWork(project, { mailbox: "alice", leaseOwner: HOLDER })).toEqual({
      begun: null,
      nextDue: resumeAt,
    });
    project.clock.set(resumeAt);
    expect((await begin(project))?.deliveries).toHaveLength(1);
  });

  it("that failed for the last time leaves a dead letter, never a quiet ack [delivery.dead-last-retry]", async () => {
    await using project = await openTestProject({ files: TEAM });
    await send(project, "alice", "hello");
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const begun = await begin(project);
      if (begun === null) throw new Error(`nothing leased at attempt ${attempt}`);
      const { resumeAt } = await fail(project, begun);
      expect(resumeAt === null).toBe(attempt === MAX_ATTEMPTS);
      if (resumeAt !== null) project.clock.set(resumeAt);
    }
    const { deliveries } = await callOk(project, person, listDeadLetters, {});
    expect(deliveries).toMatchObject([{ state: "dead", reason: "no luck", message: { content: "hello" } }]);
    expect(project.published.some(({ type }) => type === "delivery.acked")).toBe(false);
    expect(project.published.filter(({ type }) => type === "delivery.dead")).toHaveLength(1);
    expect(await begin(project)).toBeNull();
  });

  it("is not stuck behind what failed: another workspace goes on", async () => {
    await using project = await openTeam();
    await send(project, "alice", "hello");
    const begun = await begin(project);
    if (begun === null) throw new Error("nothing leased");
    await fail(project, begun, "permanent");
    await send(project, "@review", "@alice next");
    expect((await begin(project))?.run.space).toBe(REVIEW);
  });
});
