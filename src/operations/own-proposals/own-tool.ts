import type { OwnProposal, OwnProposals } from "../core/define.ts";
import { z } from "zod";
import { isPreset, type ToolChoice } from "../../domain/agent/tool-choice.ts";
import { decidePermission, matchesToolName, type Decision } from "../../domain/agent/permission.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { coerceArguments } from "../tools/coerce-arguments.ts";
import type { Answer, Ask, JsonSchema, TeamTool } from "../tools/team-tool.ts";
import type { RunGrants } from "../tools/team-tools.ts";

/** The own proposals as tools. A call looks for the proposal again, because its file may have changed meanwhile. */
function ownTool(own: OwnProposals, { name, summary, operation, inputSchema }: OwnProposal): TeamTool {
  return toolOf(own, { name, summary, operation, inputSchema });
}

/** The same for a person's own coding agent, which also says where it acts. */
export function personOwnTool(own: OwnProposals, { name, summary, operation, personInput }: OwnProposal): TeamTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(personInput, { target: "draft-7", io: "input" });
  return toolOf(own, { name, summary, operation, inputSchema });
}

function toolOf(
  own: OwnProposals,
  tool: Pick<OwnProposal, "name" | "summary" | "operation"> & { readonly inputSchema: JsonSchema },
): TeamTool {
  const { name, summary, operation, inputSchema } = tool;
  return {
    kind: "operation",
    name,
    description: summary,
    inputSchema,
    uses: [operation],
    needs: "nothing",
    returnsUntrusted: true,
    async call(args: unknown, ask: Ask): Promise<Result<Answer, Refusal>> {
      await own.refresh();
      const found = own.find(name) ?? ok(tool);
      if (!found.ok) return found;
      const { value } = found;
      return ask(value.operation, coerceArguments(value.inputSchema, args), answerText);
    },
  };
}

/** What an agent may do with the tool of an own proposal: its access, then what the definition of the agent says. */
export function decideOwnTool({ name, operation }: OwnProposal, caller: Caller, definition: ToolChoice): Decision {
  if (caller.kind !== "agent" || operation.access(caller) !== undefined) return "deny";
  const { tools, permissions } = definition;
  const { decision } = decidePermission({ ...permissions, mode: "virtual" }, { tool: name });
  const chooses = (written: string): boolean =>
    isPreset(written) ? written !== "minimal" : matchesToolName(written, name);
  return tools === undefined || tools.some(chooses) ? decision : "deny";
}

/** The rights of a run with those it has by own proposals. */
export interface OwnRunGrants extends RunGrants {
  /** The tools of own proposals, which are among `defined`, by name. */
  readonly own: ReadonlyMap<string, TeamTool>;
}

/** Adds the own proposals of a project to the rights of a run. They are last, so that the order of tools stays. */
export function withOwnTools(
  grants: RunGrants,
  proposals: OwnProposals,
  caller: Caller,
  definition: ToolChoice,
): OwnRunGrants {
  const all = proposals.all();
  if (all.length === 0) return withoutOwn(grants);
  const decided = all.map((own) => ({ own, decision: decideOwnTool(own, caller, definition) }));
  const offered = decided.filter(({ decision }) => decision !== "deny");
  const tools = new Map(offered.map(({ own }) => [own.name, ownTool(proposals, own)]));
  const asked = offered.filter(({ decision }) => decision === "ask").map(({ own }) => own.name);
  const unasked = [...tools.keys()].filter((name) => !asked.includes(name));
  return {
    ...grants,
    own: tools,
    defined: [...grants.defined, ...tools.values()],
    asked: new Set([...grants.asked, ...asked]),
    operations: new Set([...grants.operations, ...tools.keys()]),
    unasked: new Set([...grants.unasked, ...unasked]),
  };
}

const WITHOUT_OWN = new WeakMap<RunGrants, OwnRunGrants>();
const NO_TOOLS: ReadonlyMap<string, TeamTool> = new Map();

/** The rights of a run are looked at with every call, and few projects have own proposals. */
function withoutOwn(grants: RunGrants): OwnRunGrants {
  let made = WITHOUT_OWN.get(grants);
  if (made === undefined) WITHOUT_OWN.set(grants, (made = { ...grants, own: NO_TOOLS }));
  return made;
}

function answerText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null ? "Done." : JSON.stringify(value, null, 2);
}
