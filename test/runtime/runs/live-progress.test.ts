import { expect, it } from "vitest";
import { createLiveProgress } from "../../../src/runtime/runs/live-progress.ts";

const of = { run: "run_1", space: "alice", agent: "alice" } as const;

it("[ui.stream-reload] what was streamed so far is kept in its order, until the run ends", () => {
  const progress = createLiveProgress();
  progress.add({ ...of, type: "step", number: 1 });
  progress.add({ ...of, type: "text", text: "Hello, " });
  progress.add({ ...of, type: "text", text: "world" });
  progress.add({ ...of, type: "tool-call", id: "c1", tool: "bash", args: {} });
  progress.add({ ...of, run: "run_2", type: "text", text: "other" });
  expect(progress.events()).toEqual([
    { ...of, type: "step", number: 1 },
    { ...of, type: "text", text: "Hello, world" },
    { ...of, type: "tool-call", id: "c1", tool: "bash", args: {} },
    { ...of, run: "run_2", type: "text", text: "other" },
  ]);
  progress.end("run_1");
  expect(progress.events()).toHaveLength(1);
});
