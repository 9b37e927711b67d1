import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../src/domain/agent/engines.ts";
import { isToolChosen, unknownTools } from "../../../src/domain/agent/tool-choice.ts";

describe("the tools an agent gets besides the team's", () => {
  it("are all for the sdk engine, none for the others, unless it says", () => {
    const withShell = ENGINE_NAMES.filter((backend) => isToolChosen({ backend }, "bash"));
    expect(withShell).toEqual(["sdk"]);
    expect(isToolChosen({}, "bash")).toBe(true);
  });

  it("are those it names, on engines that have none of their own", () => {
    const named = ENGINE_NAMES.filter((backend) => isToolChosen({ backend, tools: ["bash"] }, "bash"));
    expect(named).toEqual(["sdk", "mock"]);
    expect(isToolChosen({ tools: ["bash"] }, "write_file")).toBe(false);
    expect(isToolChosen({ tools: [] }, "bash")).toBe(false);
  });

  it("must exist, and be ours to choose", () => {
    expect(unknownTools({ tools: ["bash", "bsah", "feedback_submit"] })).toEqual(["bsah"]);
    expect(unknownTools({})).toEqual([]);
    expect(unknownTools({ backend: "claude", tools: ["bash", "feedback_submit"] })).toEqual(["bash"]);
  });
});
