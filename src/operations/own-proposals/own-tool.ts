import type { OwnProposal, OwnProposals } from "../core/define.ts";
import { z } from "zod";
import { choiceWithGrants, isPreset, type ToolChoice } from "../../domain/agent/tool-choice.ts";
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
function decideOwnTool({ name, operation }: OwnProposal, caller: Caller, definition: ToolChoice): Decision {
  if (caller.kind !== "agent" || operation.access(caller) !== undefined) return "deny";
  const { tools, permissions } = definition;
  const { decision } = decidePermission({ ...permissions, mode: "virtual" }, { tool: name });
  const chooses = (written: string): boolean =>
    isPreset(written) ? written !== "minimal" : matchesToolName(written, name);
  return tools === undefined || tools.some(chooses) ? decision : "deny";
}

/** The own proposals that an agent has as tools: by its definition, and by grants only. */
export interface OwnTools {
  readonly defined: readonly OwnProposal[];
  readonly granted: readonly OwnProposal[];
  /** Those whose calls a person must approve. */
  readonly asked: readonly string[];
}

export function ownToolsOf(
  proposals: OwnProposals,
  caller: Caller,
  definition: ToolChoice,
  grantedNames: readonly string[] = [],
): OwnTools {
  const choice = choiceWithGrants(definition, grantedNames);
  const decided = proposals.all().map((own) => ({ own, decision: decideOwnTool(own, caller, choice) }));
  const offered = decided.filter(({ decision }) => decision !== "deny");
  const isDefined = (own: OwnProposal): boolean => decideOwnTool(own, caller, definition) !== "deny";
  const all = offered.map(({ own }) => own);
  return {
    defined: all.filter(isDefined),
    granted: all.filter((own) => !isDefined(own)),
    asked: offered.filter(({ decision }) => decision === "ask").map(({ own }) => own.name),
  };
}

/** The rights of a run with those it has by own proposals. */
export interface OwnRunGrants extends RunGrants {
  /** The tools of own proposals, which are among `defined` or `granted`, by name. */
  readonly own: ReadonlyMap<string, TeamTool>;
}

/** Adds the own proposals of a project to the rights of a run. They are last, so that the order of tools stays. */
export function withOwnTools(
  grants: RunGrants,
  proposals: OwnProposals,
  caller: Caller,
  definition: ToolChoice,
): OwnRunGrants {
  if (proposals.all().length === 0) return withoutOwn(grants);
  const offered = ownToolsOf(proposals, caller, definition, grants.grantedNames);
  const toTool = (own: OwnProposal): TeamTool => ownTool(proposals, own);
  const defined = offered.defined.map(toTool);
  const granted = offered.granted.map(toTool);
  const own = new Map([...defined, ...granted].map((tool) => [tool.name, tool]));
  const unasked = [...own.keys()].filter((name) => !offered.asked.includes(name));
  return {
    ...grants,
    own,
    defined: [...grants.defined, ...defined],
    granted: [...grants.granted, ...granted],
    asked: new Set([...grants.asked, ...offered.asked]),
    operations: new Set([...grants.operations, ...own.keys()]),
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
