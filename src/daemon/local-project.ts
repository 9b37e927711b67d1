import type { Caller } from "../kernel/caller.ts";
import { hintForUnknown } from "../kernel/closest.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { Operation } from "../operations/define.ts";
import { operations } from "../operations/registry.ts";
import { localOptions } from "./local-options.ts";
import { openProject, type Project } from "./open-project.ts";

/** A project opened in this very process, for commands that work without a daemon. Refused while another has it open. */
export interface LocalProject extends AsyncDisposable {
  readonly project: Project;
  call(caller: Caller, operation: Operation, data: unknown): Promise<Result<unknown, Refusal>>;
}

export function listOperations(): readonly { readonly name: string; readonly summary: string }[] {
  return operations.map(({ name, summary }) => ({ name, summary }));
}

export function findOperation(name: string): Result<Operation, Refusal> {
  const operation = operations.find((each) => each.name === name);
  if (operation !== undefined) return ok(operation);
  const names = operations.map((each) => each.name);
  return refuse("not_found", `There is no operation "${name}".`, { hint: hintForUnknown(name, names, "operations") });
}

export async function openLocalProject(dir: string): Promise<LocalProject> {
  const project = await openProject(localOptions(dir));
  return {
    project,
    call: (caller, operation, data) => project.system.call(caller, operation, data),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}
