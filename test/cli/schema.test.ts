import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { accepts } from "../fixtures/definitions/draft7.ts";
import { commandFolder } from "../support/daemon/installed-command.ts";
import { TEAM } from "../support/team/team.ts";

const EXAMPLES: Readonly<Record<string, unknown>> = {
  agent: parse(TEAM[".agents/alice.yaml"] ?? ""),
  workflow: parse(TEAM[".workflows/review.yaml"] ?? ""),
  project: { agents: [".agents/alice.yaml"], store: { path: "data/team.db" } },
};

describe("agent-worker schema", () => {
  it.each(Object.keys(EXAMPLES))(
    "[cli.schema] prints a schema that tells a good %s file from a bad one",
    async (kind) => {
      using folder = commandFolder();
      const { exit, out, err } = await folder.run(["schema", kind]);
      expect({ exit, err }).toEqual({ exit: 0, err: "" });
      const schema: unknown = JSON.parse(out);
      expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#" });
      expect(accepts(schema, EXAMPLES[kind])).toBe(true);
      expect(accepts(schema, { ...Object(EXAMPLES[kind]), nonsense: true })).toBe(false);
    },
  );

  it("[cli.schema] [cli.errors] names the kinds there are", async () => {
    using folder = commandFolder();
    const answer = { exit: 2, out: "", err: expect.stringContaining("agent|workflow|project") };
    expect(await folder.run(["schema", "agnet"])).toEqual(answer);
    expect(await folder.run(["schema"])).toEqual(answer);
    expect(await folder.run(["schema", "agent", "workflow"])).toEqual(answer);
  });
});
