import { expect } from "vitest";
import type { MessageRecord } from "../../../src/ports/store/message.ts";
import { scriptedEngine, type Script, type ScriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { openLiveTestProject, type LiveTestProject } from "./running-project.ts";
import { agentFile, workflowFile } from "./team.ts";

const SPACE = "@team:main";
/** On a machine that is busy with other work. */
const MOST_MS_A_HOP = 200;

/** Agents a1, a2, … in the workspace `team`, with chains as long as anybody likes. */
async function openTeam(
  count: number,
  script: Script,
): Promise<{ project: LiveTestProject; engine: ScriptedEngine; names: string[] }> {
  const names = Array.from({ length: count }, (_, n) => `a${n + 1}`);
  const engine = scriptedEngine(script);
  const project = await openLiveTestProject({
    engine,
    files: {
      "moniro.yaml": "defaults:\n  budget: { hops: 1000000, turns: 1000000 }\n",
      ...Object.assign({}, ...names.map((name) => agentFile(name))),
      ...workflowFile("team", `agents:\n${names.map((name) => `  ${name}: { ref: ${name} }\n`).join("")}`),
    },
  });
  await project.open("team");
  return { project, engine, names };
}

/** Mentions so many agents at once, again and again: each answers each message once, and nobody else does. */
export async function fanOut(agents: number, rounds: number): Promise<string> {
  const {
    project: opened,
    engine,
    names,
  } = await openTeam(agents, ({ inbox }) => `answer to ${inbox.match(/round \d+/)?.[0]}`);
  await using project = opened;
  for (let round = 1; round <= rounds; round += 1) {
    await project.send("@team", `${names.map((name) => `@${name}`).join(" ")} round ${round}`);
    await project.quiet();
  }
  const answers = (await project.messages(SPACE)).filter(({ sender }) => sender !== "user");
  const expected = names.flatMap((name) =>
    Array.from({ length: rounds }, (_, n) => `${name}: answer to round ${n + 1}`),
  );
  expect(answers.map(toLine).toSorted()).toEqual(expected.toSorted());
  expect(engine.steps).toHaveLength(agents * rounds);
  expect(new Set(engine.steps.map(({ run }) => run)).size).toBe(agents * rounds);
  expect(engine.mostAtOnce).toBe(1);
  return `${agents} agents, ${rounds} rounds, ${engine.steps.length} runs`;
}

/** Two agents hand a counter to each other, so many times: every number is said once, in order. Answers the worst gap. */
export async function pingPong(hops: number): Promise<{ readonly longestGapMs: number }> {
  const times: number[] = [];
  const { project: opened, engine } = await openTeam(2, ({ agent, inbox }) => {
    times.push(performance.now());
    const last = Number(inbox.match(/count (\d+)/)?.[1]);
    return last >= hops ? "" : `@${agent === "a1" ? "a2" : "a1"} count ${last + 1} of a long and fruitful exchange`;
  });
  await using project = opened;
  await project.send("@team", "@a1 count 0");
  await project.quiet(hops * MOST_MS_A_HOP);
  const said = (await project.messages(SPACE)).map(({ body }) => Number(body.match(/count (\d+)/)?.[1]));
  expect(said).toEqual(Array.from({ length: hops + 1 }, (_, n) => n));
  expect(engine.steps).toHaveLength(hops + 1);
  return { longestGapMs: Math.max(...times.slice(1).map((time, n) => time - (times[n] ?? time))) };
}

function toLine({ sender, body }: MessageRecord): string {
  return `${sender}: ${body}`;
}
