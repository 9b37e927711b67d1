import { whyOnlyPeopleWrite } from "../../domain/agent/obeyed-files.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { interpolate } from "../../domain/workflow/interpolate.ts";
import { buildScope } from "../../domain/workflow/scope.ts";
import { instanceFolder } from "../../domain/workspace/instance.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import type { Services } from "../core/define.ts";

/** The instance of a workspace that a start opens, and its folder, relative to the project. */
interface ChosenInstance {
  readonly number: number;
  readonly dir: string;
  /** True when the last instance goes on, with all that is in it. */
  readonly goesOn: boolean;
}

/** What is chosen from. Names and tags contain no slash, so they cannot leave the folder that a person chose. */
interface InstanceChoice {
  readonly workflow: WorkflowDefinition;
  readonly tag: string;
  readonly last: WorkspaceRecord | undefined;
  /** A person asked to go on in the last one. */
  readonly goOn: boolean;
  /** No lower number is used: the folders of lower ones hold documents. */
  readonly least: number;
}

/**
 * A workspace with a folder that its file names (`bind`) goes on with what is there. Every other one begins anew, in a
 * folder of its own.
 */
export function chooseInstance(services: Services, choice: InstanceChoice): Result<ChosenInstance, Refusal> {
  const { workflow, tag, last, goOn, least } = choice;
  const bound = boundFolder(workflow, tag);
  if (!bound.ok) return bound;
  const dir = bound.value;
  if (last !== undefined && (goOn || last.dir === dir)) {
    return ok({ number: last.instance, dir: dir ?? last.dir, goesOn: true });
  }
  const number = Math.max((last?.instance ?? 0) + 1, least);
  return ok({ number, dir: dir ?? ownFolder(services, workflow, tag, number), goesOn: false });
}

/**
 * Returns the first number whose folder holds no documents. They are there when the store is new and the folder is not,
 * as with a workspace in memory after a restart.
 */
export async function firstFreeNumber(
  services: Services,
  { workflow, tag }: Pick<InstanceChoice, "workflow" | "tag">,
  after: number,
): Promise<number> {
  const { documents, bind } = workflow.workspace;
  for (let number = after + 1; ; number += 1) {
    if (documents !== "file" || bind !== undefined) return number;
    const found = services.documents({ documents, dir: ownFolder(services, workflow, tag, number), key: "" });
    if (!found.ok || (await found.value.list()).length === 0) return number;
  }
}

function ownFolder({ definitions }: Services, { name }: WorkflowDefinition, tag: string, number: number): string {
  return `${definitions.settings().workspace.base}/${name}/${instanceFolder(tag, number)}`;
}

function boundFolder({ name, workspace }: WorkflowDefinition, tag: string): Result<string | undefined, Refusal> {
  if (workspace.bind === undefined) return ok(undefined);
  const folder = interpolate(workspace.bind, buildScope({ workflow: name, tag, projectDir: "." }));
  if (!folder.ok) return folder;
  const { text } = folder.value;
  const reason = whyOnlyPeopleWrite(text) ?? whyOnlyPeopleWrite(`${text}/${workspace.channelFile}`);
  if (reason === null) return ok(text);
  return refuse("invalid", `${text} cannot be the folder of a workspace: ${reason}`, { hint: "Change its bind." });
}
