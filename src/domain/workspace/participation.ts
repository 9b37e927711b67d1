import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { startWords } from "../message/space-words.ts";
import { nameKey } from "../names.ts";
import { refuseSubSpace, splitTag } from "./sub-space.ts";
import { displayWorkspace, isEarlier, type WorkspaceRef } from "./workspace.ts";

/**
 * Which agents can be addressed in a workspace: those of its workflow file, while it is running. Sending a message never
 * adds a participant: the file alone decides who takes part.
 */
export interface Participation extends WorkspaceRef {
  readonly running: boolean;
  /** In order of joining. */
  readonly participants: readonly string[];
  /** The workflow's file, as a person types it. Default: its name, whose file is in `.workflows/`. */
  readonly file?: string | null;
  /** The agent that was addressed there. */
  readonly agent?: string;
}

export function checkRunning(workspace: Participation): Result<WorkspaceRef, Refusal> {
  const { workflow, tag, running, agent } = workspace;
  const named = workspace.file ?? workflow;
  if (running) return ok({ workflow, tag });
  if (isEarlier(workspace)) {
    return refuse("not_running", `"${displayWorkspace(workspace)}" is an earlier instance: it can only be read.`, {
      hint: `Use the current one: @${displayWorkspace({ workflow, tag })}`,
      details: { workflow, tag },
    });
  }
  if (splitTag(tag).name !== undefined) return refuseSubSpace(workflow, tag);
  return refuse("not_running", `workflow "${displayWorkspace(workspace)}" is not running.`, {
    hint: `Start it with: agent-worker start ${startWords({ workflow: named, tag })}`,
    details: { workflow, tag, ...(agent === undefined ? {} : { agent }) },
  });
}

export function checkParticipant(workspace: Participation, agent: string): Result<string, Refusal> {
  const running = checkRunning(workspace);
  if (!running.ok) return running;
  const { workflow, tag, participants } = workspace;
  const file = workspace.file ?? `.workflows/${workflow}.yaml`;
  if (participants.includes(agent)) return ok(agent);
  const sameInOtherCase = participants.find((name) => nameKey(name) === nameKey(agent));
  return refuse("not_participant", `${agent} is not a participant in workflow "${workflow}".`, {
    hint: sameInOtherCase === undefined ? `Add ${agent} to ${file} first.` : `Did you mean ${sameInOtherCase}?`,
    details: { workflow, tag, agent, participants },
  });
}
