import { ok, type Result } from "../../kernel/result.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { DEFAULT_TAG, nameKey } from "../names.ts";
import { type WorkspaceRef, displayWorkspace } from "./workspace.ts";

/**
 * Who can be addressed in a workspace: the agents of its workflow file, while it runs. Sending never makes anybody join,
 * so the file stays the one place that says who takes part.
 */
export interface Attendance extends WorkspaceRef {
  readonly running: boolean;
  /** In order of joining. */
  readonly participants: readonly string[];
  /** The workflow's file as a person would type it. Default `<workflow>.yaml`, in `.workflows/`. */
  readonly file?: string;
}

export function checkRunning(workspace: Attendance): Result<WorkspaceRef, Refusal> {
  const { workflow, tag, running, file = `${workflow}.yaml` } = workspace;
  if (running) return ok({ workflow, tag });
  return refuse("not_running", `workflow "${displayWorkspace(workspace)}" is not running.`, {
    hint: `Start it with: agent-worker start ${file}${tag === DEFAULT_TAG ? "" : ` --tag ${tag}`}`,
    details: { workflow, tag },
  });
}

export function checkParticipant(workspace: Attendance, agent: string): Result<string, Refusal> {
  const running = checkRunning(workspace);
  if (!running.ok) return running;
  const { workflow, participants, file = `.workflows/${workflow}.yaml` } = workspace;
  if (participants.includes(agent)) return ok(agent);
  const sameInOtherCase = participants.find((name) => nameKey(name) === nameKey(agent));
  return refuse("not_participant", `${agent} is not a participant in workflow "${workflow}".`, {
    hint: sameInOtherCase === undefined ? `Add ${agent} to ${file} first.` : `Did you mean ${sameInOtherCase}?`,
    details: { participants },
  });
}
