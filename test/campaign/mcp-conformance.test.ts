import { describe, expect, test } from "vitest";
import type { ToolHost } from "../../src/ports/tools.ts";
import { failure, success } from "../../src/testing/recording-tools.ts";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { CONFORMANCE_VERSIONS, conformanceInstalled, runConformance } from "../support/daemon/mcp-conformance.ts";
import { openMcpRig, REVIEW } from "../support/daemon/mcp-rig.ts";
import { startTokenProxy } from "../support/daemon/token-proxy.ts";

/**
 * What the suite asks for and this server has not, with the reason. Everything else must pass, and what passes must not
 * be listed. The suite brings its own names of tools and resources; where a door can offer such a tool, it does below.
 */
const NOT_HERE: readonly (readonly [reason: string, scenarios: RegExp])[] = [
  ["there is no completion of arguments", /^completion-complete: completion-complete$/],
  ["a daemon's log is not told to clients", /^(logging-set-level|tools-call-with-logging): /],
  ["there are no prompts", /^prompts-|^caching: sep-2549-prompts-list-caching-hints$|non-tool-request/],
  ["answers of tools are words and data, no pictures or sounds", /^tools-call-(image|audio|embedded|mixed)/],
  ["tools of a team answer at once and report no progress", /^tools-call-with-progress: /],
  [
    "a tool never asks its client's model or its user",
    /^tools-call-(sampling|elicitation)|^elicitation-|^input-required/,
  ],
  ["no tool needs a capability of the client", /sep-2575-(server-rejects-undeclared|missing)-capability/],
  ["no tool wants an argument in a header", /^http-custom-header-server-validation: /],
  ["the suite's own resources do not exist", /^resources-(read|templates|subscribe|unsubscribe)/],
];

const FIXTURE_TOOL = /^json-schema-2020-12: /;

function unexplained(failed: ReadonlyMap<string, string>, also: readonly RegExp[] = []): string[] {
  const known = [...NOT_HERE.map(([, scenarios]) => scenarios), ...also];
  return [...failed].flatMap(([check, why]) => (known.some((each) => each.test(check)) ? [] : [`${check}: ${why}`]));
}

describe.skipIf(!conformanceInstalled)("the official conformance suite (npm ci --prefix test/conformance)", () => {
  test.each(CONFORMANCE_VERSIONS)("[mcp.real-clients] a daemon with a person's token, %s", async (version) => {
    await using daemon = await startTestDaemon();
    await using proxy = await startTokenProxy(daemon.url, daemon.token);
    const { passed, failed } = await runConformance(`${proxy.url}/mcp`, version);
    expect(unexplained(failed, [FIXTURE_TOOL])).toEqual([]);
    expect(passed).toContain("tools-list: tools-list");
    expect(passed.length).toBeGreaterThan(30);
  });

  test.each(CONFORMANCE_VERSIONS)("a door with the tools the suite knows, %s", async (version) => {
    await using rig = await openMcpRig();
    const caller = {
      kind: "agent",
      name: "alice",
      space: REVIEW,
      run: null,
      cause: null,
      operations: new Set<string>(),
    } as const;
    using door = rig.open({ caller, tools: suiteTools });
    await using proxy = await startTokenProxy(new URL(rig.url).origin, door.token);
    const { passed, failed } = await runConformance(`${proxy.url}/mcp`, version);
    expect(unexplained(failed)).toEqual([]);
    expect(passed).toContain("tools-call-simple-text: tools-call-simple-text");
    if (version !== "2025-06-18") expect(passed).toContain("json-schema-2020-12: json-schema-2020-12-tool-found");
  });

  test("nothing is excused that passes everywhere", async () => {
    await using daemon = await startTestDaemon();
    await using proxy = await startTokenProxy(daemon.url, daemon.token);
    const runs = [];
    for (const version of CONFORMANCE_VERSIONS) runs.push(await runConformance(`${proxy.url}/mcp`, version));
    const failed = runs.flatMap((run) => [...run.failed.keys()]);
    const stale = NOT_HERE.filter(([, scenarios]) => !failed.some((check) => scenarios.test(check)));
    expect(stale.map(([reason]) => reason)).toEqual([]);
  });
});

const SCHEMA_TOOL = "json_schema_2020_12_tool";

const suiteTools: ToolHost = {
  list: () => [
    { name: "test_simple_text", description: "Says something.", inputSchema: { type: "object" } },
    { name: "test_error_handling", description: "Fails.", inputSchema: { type: "object" } },
    {
      name: SCHEMA_TOOL,
      description: "Has a schema with the newer keywords, which must arrive as they are.",
      inputSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
          address: {
            $anchor: "addressDef",
            type: "object",
            properties: { street: { type: "string" }, city: { type: "string" } },
          },
        },
        properties: {
          name: { type: "string" },
          address: { $ref: "#/$defs/address" },
          contactMethod: { type: "string", enum: ["phone", "email"] },
          phone: { type: "string" },
          email: { type: "string" },
        },
        allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
        if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
        then: { required: ["phone"] },
        else: { required: ["email"] },
        additionalProperties: false,
      },
    },
  ],
  call: async ({ tool }) =>
    tool === "test_error_handling"
      ? failure("This tool intentionally returns an error for testing")
      : success("This is a simple text response for testing."),
};
