import { expect, it } from "vitest";
import { createLiveReplay } from "../../../src/runtime/runs/live-replay.ts";

const of = { run: "run_1", space: "alice", agent: "alice" } as const;

it("[ui.stream-reload] what was streamed so far is kept in its order, until the run ends", () => {
  const replay = createLiveReplay();
  replay.add({ ...of, type: "step", number: 1 });
  replay.add({ ...of, type: "text", text: "Hello, " });
  replay.add({ ...of, type: "text", text: "world" });
  replay.add({ ...of, type: "tool-call", id: "c1", tool: "bash", args: {} });
  replay.add({ ...of, run: "run_2", type: "text", text: "other" });
  expect(replay.events()).toEqual([
    { ...of, type: "step", number: 1 },
    { ...of, type: "text", text: "Hello, world" },
    { ...of, type: "tool-call", id: "c1", tool: "bash", args: {} },
    { ...of, run: "run_2", type: "text", text: "other" },
  ]);
  replay.end("run_1");
  expect(replay.events()).toHaveLength(1);
});
