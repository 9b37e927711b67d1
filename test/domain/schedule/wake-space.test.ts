import { describe, expect, it } from "vitest";
import type { Space } from "../../../src/domain/message/message.ts";
import { wakeSpace } from "../../../src/domain/schedule/wake-space.ts";

const space = (workflow: string, tag: string): Space => ({ kind: "workspace", workflow, tag });
const dm: Space = { kind: "dm", agent: "alice" };
const running = [
  space("deploy", "main"),
  space("review", "pr-1"),
  space("review", "main"),
  space("audit", "q2"),
  space("audit", "q1"),
];

describe("wakeSpace", () => {
  it.each<[string, Space]>([
    ["review:pr-1", space("review", "pr-1")],
    ["review:main", space("review", "main")],
    ["review", space("review", "main")],
    ["audit", space("audit", "q2")],
  ])("%s wakes in a running workspace [schedule.workspace]", (workspace, expected) => {
    expect(wakeSpace("alice", workspace, running)).toEqual(expected);
  });

  it.each([undefined, "", "review:pr-2", "nowhere", "Review", "alice"])(
    "%j wakes in direct messages [schedule.fallback-dm]",
    (workspace) => {
      expect(wakeSpace("alice", workspace, [...running, { kind: "dm", agent: "alice" }])).toEqual(dm);
    },
  );
});
