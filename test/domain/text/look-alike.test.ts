import { describe, expect, it } from "vitest";
import { toolNameSkeleton } from "../../../src/domain/agent/tool-name-skeleton.ts";
import { lookAlikeSkeleton } from "../../../src/domain/text/look-alike.ts";

describe("the skeleton of a text", () => {
  it.each([
    ["message", "\u043cess\u0430ge"],
    ["message", "MESSAGE"],
    ["message", "\u039cESSAGE"],
    ["message", "m\u0301e\u200bssage"],
    ["inbox", "lnb0x"],
    ["team", "tearn"],
    ["now", "novv"],
  ])("of %s is that of %s", (one, other) => {
    expect(lookAlikeSkeleton(other)).toBe(lookAlikeSkeleton(one));
  });

  it.each([
    ["message", "messages"],
    ["todo_add", "todo_done"],
    ["channel_read", "channel_peek"],
    ["\u6587", "\u66f8"],
  ])("of %s is not that of %s", (one, other) => {
    expect(toolNameSkeleton(other)).not.toBe(toolNameSkeleton(one));
  });
});
