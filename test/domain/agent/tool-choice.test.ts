import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../src/domain/agent/engines.ts";
import { TEAM_TOOL_NAMES } from "../../../src/domain/agent/team-tool-names.ts";
import {
  decideTeamTool,
  isTeamToolShown,
  isToolChosen,
  programDefinition,
  unknownTools,
} from "../../../src/domain/agent/tool-choice.ts";

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

describe("the tools of the team that an agent gets", () => {
  it("are those of a team, unless its definition says so", () => {
    expect(decideTeamTool({}, "channel_send")).toBe("allow");
    expect(decideTeamTool({ permissions: { mode: "host", allow: ["bash"] } }, "channel_send")).toBe("allow");
  });

  it("are those that tools names, by name or pattern, and those that a run cannot do without", () => {
    const definition = { tools: ["bash", "team_doc_*", "note_add"] };
    expect(decideTeamTool(definition, "team_doc_read")).toBe("allow");
    expect(decideTeamTool(definition, "note_add")).toBe("allow");
    expect(decideTeamTool(definition, "notes_read")).toBe("deny");
    for (const tool of ["my_inbox", "my_inbox_ack", "no_action"]) {
      expect(decideTeamTool({ tools: [] }, tool)).toBe("allow");
      expect(decideTeamTool({ permissions: { ask: ["*"] } }, tool)).toBe("allow");
    }
  });

  it("are those of a preset, alone or with single names [tools.presets]", () => {
    const given = (tools?: readonly string[]) =>
      TEAM_TOOL_NAMES.filter((tool) => {
        const choice = tools === undefined ? {} : { tools };
        return decideTeamTool(choice, tool) !== "deny" && isTeamToolShown(choice, tool);
      });
    expect(given(["minimal"])).toEqual(["channel_send", "channel_read", "my_inbox", "no_action", "resource_read"]);
    expect(given()).toEqual(given(["team"]));
    expect(given()).toHaveLength(22);
    for (const tool of ["my_status_set", "soul_suggest", "proposal_cancel", "rule_add", "feedback_submit"]) {
      expect(given()).not.toContain(tool);
      expect(given(["full"])).toContain(tool);
      expect(given(["team", tool])).toEqual(TEAM_TOOL_NAMES.filter((name) => name === tool || given().includes(name)));
    }
    expect(given(["minimal", "todo"])).toContain("todo");
    expect(isToolChosen({ tools: ["team"] }, "bash")).toBe(true);
    expect(isToolChosen({ tools: ["minimal"] }, "bash")).toBe(false);
    expect(isToolChosen({ backend: "mock", tools: ["team"] }, "bash")).toBe(false);
    expect(unknownTools({ tools: ["team", "teem"] })).toEqual(["teem"]);
  });

  it("are called by their old names where the agent has what replaced them [tools.old-names]", () => {
    for (const tool of ["todo_add", "todo_done", "todo_list", "note_add", "notes_read", "channel_peek"]) {
      expect(decideTeamTool({}, tool), tool).toBe("allow");
      expect(isTeamToolShown({}, tool), tool).toBe(false);
      expect(decideTeamTool({ tools: ["memory_store"] }, tool), tool).toBe("deny");
    }
  });

  it("give no more than when an old name was written into tools [tools.old-names]", () => {
    const choice = { tools: ["todo_list"] };
    expect(decideTeamTool(choice, "todo_list")).toBe("allow");
    expect(isTeamToolShown(choice, "todo_list")).toBe(true);
    for (const tool of ["todo", "todo_add", "todo_done"]) expect(decideTeamTool(choice, tool), tool).toBe("deny");
  });

  it("are the old ones where deny or ask names one of them [tools.old-names]", () => {
    for (const list of ["deny", "ask"] as const) {
      const choice = { permissions: { [list]: ["todo_add"] } };
      expect(decideTeamTool(choice, "todo")).toBe("deny");
      expect(decideTeamTool(choice, "todo_add")).toBe(list);
      expect(decideTeamTool(choice, "todo_list")).toBe("allow");
      expect(isTeamToolShown(choice, "todo_list")).toBe(true);
    }
    for (const tool of ["todo", "todo_add", "todo_list"]) {
      expect(decideTeamTool({ permissions: { deny: ["todo"] } }, tool), tool).toBe("deny");
      expect(decideTeamTool({ permissions: { ask: ["*"] } }, tool), tool).toBe("ask");
    }
    expect(decideTeamTool({ permissions: { deny: ["channel_read"] } }, "channel_peek")).toBe("deny");
    expect(decideTeamTool({ permissions: { deny: ["channel_peek"] } }, "channel_read")).toBe("allow");
  });

  it("are without those that must be written out, whatever a pattern says", () => {
    expect(decideTeamTool({}, "rule_add")).toBe("deny");
    expect(decideTeamTool({ tools: ["*"] }, "rule_add")).toBe("deny");
    expect(decideTeamTool({ tools: ["*", "rule_add"] }, "rule_add")).toBe("allow");
  });

  it("are without those that deny names, even if everything else names them", () => {
    for (const pattern of ["my_inbox", "my_*", "*"]) {
      const permissions = { allow: ["my_inbox"], deny: [pattern] };
      expect(decideTeamTool({ tools: ["my_inbox"], permissions }, "my_inbox"), pattern).toBe("deny");
    }
    expect(isToolChosen({ permissions: { deny: ["ba*"] } }, "bash")).toBe(false);
    expect(isToolChosen({ permissions: { deny: ["bash(rm *)"] } }, "bash")).toBe(true);
  });

  it("are asked about where ask names them", () => {
    expect(decideTeamTool({ permissions: { ask: ["proposal_*"] } }, "proposal_create")).toBe("ask");
    expect(decideTeamTool({ permissions: { ask: ["bash(*)"] } }, "proposal_create")).toBe("allow");
  });

  it("are no business of the program that runs the agent", () => {
    const permissions = { mode: "host", deny: ["soul_suggest", "bash(rm *)"], ask: ["note_add"] } as const;
    const definition = { name: "x", prompt: { system: "Work." }, permissions };
    expect(programDefinition(definition).permissions).toEqual({ mode: "host", deny: ["bash(rm *)"], ask: [] });
  });
});
