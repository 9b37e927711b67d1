import type { WorkflowDefinition } from "./definition.ts";

/** The values of placeholders by name. A group is part of the name: "params.base", "env.HOME". */
export type Scope = ReadonlyMap<string, string>;

export interface ScopeSources {
  readonly workflow: string;
  readonly tag: string;
  readonly projectDir: string;
  /** Paths of the channel and the shared document; absent in a workspace without a channel. */
  readonly context?: { readonly channel: string; readonly document: string };
  readonly params?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The outputs of the previous setup steps, by their `as`. */
  readonly outputs?: Readonly<Record<string, string>>;
}

/** The name of a setup output has no dot, so it cannot hide a group; it could hide only `instance`. */
export const OUTPUT_NAME = /^[a-zA-Z_][\w-]{0,63}$/;

export function buildScope(sources: ScopeSources): Scope {
  const { workflow, tag, projectDir, context, params = {}, env = {}, outputs = {} } = sources;
  const scope = new Map([
    ["workflow.name", workflow],
    ["workflow.tag", tag],
    ["workflow.instance", tag],
    ["instance", tag],
    ["project.dir", projectDir],
  ]);
  if (context !== undefined) {
    scope.set("context.channel", context.channel);
    scope.set("context.document", context.document);
  }
  for (const [name, value] of Object.entries(params)) scope.set(`params.${name}`, value);
  for (const [name, value] of Object.entries(outputs)) scope.set(name, value);
  for (const [name, value] of Object.entries(env)) if (value !== undefined) scope.set(`env.${name}`, value);
  return scope;
}

/** Returns the names that texts of a workflow may use. A setup step may use only the outputs of the steps before it. */
export function scopeNames(
  workflow: Pick<WorkflowDefinition, "params" | "setup" | "workspace">,
  beforeStep: number = workflow.setup.length,
): string[] {
  const outputs = workflow.setup
    .slice(0, beforeStep)
    .flatMap(({ as }) => (as === undefined ? [] : [[as, ""] as const]));
  const scope = buildScope({
    workflow: "",
    tag: "",
    projectDir: "",
    ...(workflow.workspace.channel ? { context: { channel: "", document: "" } } : {}),
    params: Object.fromEntries(workflow.params.map(({ name }) => [name, ""])),
    outputs: Object.fromEntries(outputs),
  });
  return [...scope.keys()];
}
