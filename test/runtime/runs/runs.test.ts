import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { listDeadLetters } from "../../../src/operations/dead-letters/list-dead-letters.ts";
import { retryDeadLetter } from "../../../src/operations/dead-letters/retry-dead-letter.ts";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { scriptedEngine, type Script } from "../../../src/testing/scripted-engine.ts";
import { untilAborted } from "../../support/engine/until-aborted.ts";
import { gate } from "../../support/gate.ts";
import { manualClock, type ManualClock } from "../../support/manual-clock.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually, openLiveTestProject, type LiveTestProject } from "../../support/team/running-project.ts";
import { agentFile, REVIEW, TEAM } from "../../support/team/team.ts";

async function review(script: Script, files: Readonly<Record<string, string>> = {}, clock?: ManualClock) {
  const engine = scriptedEngine(script);
  const project = await openLiveTestProject({
    files: { ...TEAM, ...files },
    engine,
    ...(clock === undefined ? {} : { clock }),
  });
  await project.open("review");
  return { engine, project };
}

async function notices(project: LiveTestProject, space = REVIEW): Promise<string[]> {
  return (await project.messages(space)).flatMap(({ kind, body }) => (kind === "notice" ? [body] : []));
}

describe("the last word of a run", () => {
  it("is posted in the channel, and whom it mentions is woken [run.final-text]", async () => {
    const { project: opened } = await review(({ agent }) =>
      agent === "alice" ? "done, @bob please check" : "checked",
    );
    await using project = opened;
    await project.send("@review", "@alice go");
    await project.quiet();
    expect(await project.said(REVIEW)).toEqual(["user: @alice go", "alice: done, @bob please check", "bob: checked"]);
  });

  it("answers a direct message where it was written [run.final-text] [workflow.one-agent]", async () => {
    const { project: opened, engine } = await review(() => "hello yourself");
    await using project = opened;
    await project.send("alice", "hello");
    await project.quiet();
    expect(await project.said("alice")).toEqual(["user: hello", "alice: hello yourself"]);
    expect(await project.said(REVIEW)).toEqual([]);
    expect(engine.steps).toHaveLength(1);
  });

  it("stays on the run when the agent has spoken with channel_send [run.final-text-spoken]", async () => {
    const { project: opened } = await review(async ({ call }) => {
      await call("channel_send", { message: "this is what I say" });
      return "and this is what I think";
    });
    await using project = opened;
    await project.send("@review", "@alice go");
    await project.quiet();
    expect(await project.said(REVIEW)).toEqual(["user: @alice go", "alice: this is what I say"]);
    expect(await project.runs()).toMatchObject([{ outcome: "answered", detail: "and this is what I think" }]);
  });

  it.each([
    { name: "an empty text", script: (() => " \n ") satisfies Script },
    {
      name: "no_action",
      script: (async ({ call }) => {
        await call("no_action", { reason: "nothing to add" });
        return "@bob I announce that I stay silent";
      }) satisfies Script,
    },
    {
      name: "no_action before the end",
      script: (async ({ call, number }) => {
        if (number === 1) await call("no_action", { reason: "nothing to add" });
        return number === 1 ? { more: true, text: "@bob hm" } : "@bob more";
      }) satisfies Script,
    },
  ])("$name is silence: acknowledged, nothing said, nobody woken [run.silent]", async ({ script }) => {
    const { project: opened, engine } = await review(script);
    await using project = opened;
    await project.send("@review", "@alice go");
    await project.quiet();
    expect(await project.said(REVIEW)).toEqual(["user: @alice go"]);
    expect(await project.runs()).toMatchObject([{ outcome: "silent" }]);
    expect(engine.steps).toHaveLength(1);
  });

  it("after all its steps is given as it is, shown as incomplete, and the channel is told [run.max-steps]", async () => {
    const files = agentFile("alice", "max_steps: 3\n");
    const { project: opened, engine } = await review(({ number }) => ({ more: true, text: `so far ${number}` }), files);
    await using project = opened;
    await project.send("@review", "@alice go");
    await project.quiet();
    expect(engine.steps.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(await project.said(REVIEW)).toEqual(["user: @alice go", "alice: so far 3"]);
    expect(await project.runs()).toMatchObject([{ outcome: "incomplete" }]);
    expect(await notices(project)).toEqual([
      expect.stringMatching(/^alice has taken as many steps as it may \(max_steps\)/),
    ]);
  });
});

describe("a run that fails", () => {
  /** Fails so often, then answers. */
  const failing = (times: number, failure: () => EngineFailure): Script => {
    let left = times;
    return () => {
      if (left === 0) return "at last";
      left -= 1;
      throw failure();
    };
  };

  it("for a reason that may pass is tried again, later each time, and acknowledged once it succeeds [retry.transient-backoff] [delivery.ack-on-success]", async () => {
    const clock = manualClock();
    const { project: opened, engine } = await review(
      failing(3, () => new EngineFailure("transient", "overloaded")),
      {},
      clock,
    );
    await using project = opened;
    await project.send("@review", "@alice go");
    await eventually("the first attempt is made", () => engine.steps.length === 1);
    expect((await project.store.read((store) => store.deliveries.countOpenByMailbox(REVIEW))).get("alice")).toBe(1);
    await eventually("it succeeds", async () => {
      clock.advance(1_000);
      return (await project.said(REVIEW)).length === 2;
    });
    expect(engine.steps).toHaveLength(4);
    expect(await project.said(REVIEW)).toEqual(["user: @alice go", "alice: at last"]);
    expect(await notices(project)).toEqual([]);
    expect(await project.runs()).toMatchObject([{ outcome: "answered" }]);
  });

  it("is a dead letter after its last attempt, with a notice, and can be retried [delivery.dead-notice] [retry.exhausted]", async () => {
    const clock = manualClock();
    const { project: opened, engine } = await review(
      failing(5, () => new EngineFailure("transient", "overloaded")),
      {},
      clock,
    );
    await using project = opened;
    const { id } = await project.send("@review", "@alice go");
    await eventually("it is given up", async () => {
      clock.advance(60_000);
      return (await notices(project)).length > 0;
    });
    expect(engine.steps).toHaveLength(5);
    expect((await notices(project))[0]).toContain(`alice could not answer ${id}: overloaded`);
    const { deliveries: deadLetters } = await callOk(project, person, listDeadLetters, {});
    expect(deadLetters).toMatchObject([{ agent: "alice" }]);
    await callOk(project, person, retryDeadLetter, { id: deadLetters[0]?.id ?? "" });
    await project.quiet();
    expect(await project.said(REVIEW)).toEqual(["user: @alice go", "alice: at last"]);
  });

  it("for good is a dead letter at once; an agent that asked is told as background work [retry.permanent] [delivery.dead-notice]", async () => {
    const { project: opened, engine } = await review(({ agent, inbox }) => {
      if (agent === "bob") throw new EngineFailure("permanent", "There is no such model.");
      return inbox.includes("could not answer") ? "" : "@bob help me";
    });
    await using project = opened;
    await project.send("@review", "@alice go");
    await project.quiet();
    expect(engine.steps.map(({ agent }) => agent)).toEqual(["alice", "bob", "alice"]);
    expect(engine.steps[2]?.inbox).toContain("There is no such model.");
    expect((await project.runs()).at(-1)).toMatchObject({ mailbox: "alice", lane: "background", outcome: "silent" });
  });

  it("twice by crashing its engine is not tried a third time [retry.crash-once]", async () => {
    const clock = manualClock();
    const { project: opened, engine } = await review(
      failing(9, () => new EngineFailure("crash", "killed")),
      {},
      clock,
    );
    await using project = opened;
    await project.send("@review", "@alice go");
    await eventually("it is given up", async () => {
      clock.advance(1_000);
      return (await notices(project)).length > 0;
    });
    expect(engine.steps).toHaveLength(2);
  });

  it("for lack of quota waits for the reset, at no cost [retry.quota-parks]", async () => {
    const clock = manualClock();
    const resetAtMs = clock.now() + 3_600_000;
    let quota = 3;
    const { project: opened, engine } = await review(
      () => {
        quota -= 1;
        if (quota >= 0) throw new EngineFailure("quota", "used up", { resetAtMs: Math.max(resetAtMs, clock.now()) });
        return "here it is";
      },
      {},
      clock,
    );
    await using project = opened;
    await project.send("@review", "@alice go");
    await eventually("the quota is used up", () => engine.steps.length === 1);
    await eventually(
      "it is parked",
      async () => (await project.store.read((store) => store.runs.unfinished()))[0]?.state === "parked",
    );
    clock.advance(3_599_000);
    await project.send("@review", "@bob meanwhile");
    await eventually("bob answers", () => engine.steps.some(({ agent }) => agent === "bob"));
    expect(engine.steps.filter(({ agent }) => agent === "alice")).toHaveLength(1);
    await eventually("alice answers", async () => {
      clock.advance(10_000);
      return (await project.said(REVIEW)).includes("alice: here it is");
    });
    const run = (await project.runs()).find(({ mailbox }) => mailbox === "alice");
    expect(run).toMatchObject({ outcome: "answered" });
  });

  it("for a reason of ours costs one attempt, and the loop goes on [loop.restart-failed]", async () => {
    const clock = manualClock();
    let bugs = 1;
    const { project: opened } = await review(
      () => {
        bugs -= 1;
        if (bugs >= 0) throw new TypeError("undefined is not a function");
        return "fine";
      },
      {},
      clock,
    );
    await using project = opened;
    await project.send("@review", "@alice go");
    await eventually("it is answered", async () => {
      clock.advance(1_000);
      return (await project.said(REVIEW)).length === 2;
    });
    expect(await project.said(REVIEW)).toEqual(["user: @alice go", "alice: fine"]);
  });

  it("is recorded as started before its engine is called [run.intent-first]", async () => {
    const seen: unknown[] = [];
    const { project: opened } = await review(async ({ run }) => {
      seen.push(await opened.store.read((store) => store.runs.byId(run)));
      return "";
    });
    await using project = opened;
    await project.send("@review", "@alice go");
    await project.quiet();
    expect(seen).toMatchObject([{ state: "open", mailbox: "alice", space: REVIEW }]);
  });
});

describe("a run that takes too long", () => {
  it("is ended at the agent's timeout, as one failed attempt [run.timeout]", async () => {
    const clock = manualClock();
    const { project: opened, engine } = await review(
      ({ spec, signal }) => (engine.steps.length === 1 ? untilAborted(signal) : `${spec.agent.name} was quicker`),
      agentFile("alice", "timeout: 30s\n"),
      clock,
    );
    await using project = opened;
    await project.send("@review", "@alice go");
    await eventually("the run begins", () => engine.steps.length === 1);
    clock.advance(29_999);
    expect(engine.steps[0]?.signal.aborted).toBe(false);
    clock.advance(1);
    await eventually("it is answered", async () => {
      clock.advance(500);
      return (await project.said(REVIEW)).includes("alice: alice was quicker");
    });
    expect(engine.steps[1]?.inbox).toContain('failed_attempts="1"');
  });

  it("is not ended by a wall clock that jumps [run.clock]", async () => {
    const clock = manualClock();
    const slow = gate();
    const { project: opened, engine } = await review(
      async () => {
        await slow.passed;
        return "unimpressed";
      },
      agentFile("alice", "timeout: 30s\n"),
      clock,
    );
    await using project = opened;
    await project.send("@review", "@alice go");
    await eventually("the run begins", () => engine.steps.length === 1);
    for (const jump of [3_600_000, -7_200_000, 10 * 365 * 86_400_000]) {
      clock.set(clock.now() + jump);
      clock.advance(10);
    }
    slow.open();
    await project.quiet();
    expect(engine.steps).toHaveLength(1);
    expect(await project.said(REVIEW)).toEqual(["user: @alice go", "alice: unimpressed"]);
  });
});

describe("closing a project", () => {
  it("aborts what runs and parks it; the next life goes on after the last finished step [run.checkpoint]", async () => {
    const numbers: number[] = [];
    const first = scriptedEngine(async ({ number, signal }) => {
      numbers.push(number);
      return number === 3 ? untilAborted(signal) : { more: true };
    });
    const opened = await openLiveTestProject({ files: TEAM, engine: first });
    await opened.open("review");
    await opened.send("@review", "@alice go");
    await eventually("the third step begins", () => numbers.length === 3);
    await opened.restart().then((project) => project[Symbol.asyncDispose]());
    expect(first.steps[2]?.signal.aborted).toBe(true);
  });

  it("goes on in the next life with what is waiting [delivery.before-start] [run.recovery-scan]", async () => {
    let life = 1;
    const engine = scriptedEngine(async ({ number, signal, inbox }) => {
      if (inbox.includes("letter")) return "letter answered";
      if (life === 1 && number === 3) return untilAborted(signal);
      return number < 5 ? { more: true } : "finished in another life";
    });
    const opened = await openLiveTestProject({ files: TEAM, engine });
    await opened.open("review");
    await opened.send("@review", "@alice go");
    await eventually("the third step begins", () => engine.steps.length === 3);
    await opened.send("@review", "@alice a letter");
    life = 2;
    await using project = await opened.restart();
    await project.quiet();
    const numbers = engine.steps.filter(({ inbox }) => !inbox.includes("letter")).map(({ number }) => number);
    expect(numbers).toEqual([1, 2, 3, 3, 4, 5]);
    expect((await project.said(REVIEW)).toSorted()).toEqual([
      "alice: finished in another life",
      "alice: letter answered",
      "user: @alice a letter",
      "user: @alice go",
    ]);
  });
});

describe("a step whose process ended with other runs in it", () => {
  it("is made again at once, at no cost, and repeats no call of a tool [engine.sdk-blame] [run.tools-not-repeated]", async () => {
    let ends = 1;
    const { project: opened, engine } = await review(async ({ call }) => {
      await call("channel_send", { message: "@bob look" });
      if (ends-- > 0) throw new EngineFailure("crash", "The process ended.", { shared: true });
      return "done";
    });
    await using project = opened;
    await project.send("alice", "go");
    await project.quiet();
    expect(await project.runs()).toMatchObject([{ agent: "alice", outcome: "answered" }]);
    expect(engine.steps).toHaveLength(2);
    expect((await project.said("alice")).filter((line) => line.includes("@bob look"))).toHaveLength(1);
  });

  it("pays when it ends its own process too [engine.sdk-blame]", async () => {
    let ends = 0;
    const { project: opened, engine } = await review(() => {
      ends += 1;
      throw new EngineFailure("crash", "The process ended.", { shared: ends === 1 });
    });
    await using project = opened;
    await project.send("alice", "go");
    await eventually(
      "the run waits for its next attempt",
      async () => (await project.runs()).length === 1 && ends >= 2,
    );
    expect(engine.steps).toHaveLength(2);
  });
});
