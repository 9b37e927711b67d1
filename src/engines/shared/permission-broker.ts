import { hash } from "node:crypto";
import { relative, resolve } from "node:path";
import { callLine } from "../../domain/agent/call-text.ts";
import { pathPrivacy, type PathPrivacy } from "../../domain/agent/private-paths.ts";
import type { SessionSpec } from "../../ports/engine.ts";
import type { ApprovalAnswer } from "../../ports/tools.ts";
import { changesNothing } from "./empty-change.ts";
import { decideCall, type ProgramCall } from "./program-call.ts";
import { projectFolder } from "./project-folder.ts";

/**
 * Decides on the tool calls that a program asks about during one step. A call that a person must approve ends the step:
 * the program has to stop, and the run waits. The prompt of the next step contains the decision, and the program makes
 * its call again. A decision is valid for one call. A step that is repeated after a crash uses the same ids and gets
 * the same decisions.
 */
export interface PermissionBroker {
  decide(call: ProgramCall): Promise<PermissionDecision>;
  /**
   * Null when no call waits for a person. Otherwise the decided calls that were not made again yet, then the call that
   * waits.
   */
  pending(): readonly PendingCall[] | null;
}

export type PermissionDecision =
  | { readonly kind: "allow" }
  | { readonly kind: "refuse"; readonly reason: string }
  /** The program has to stop: its turn is over. */
  | { readonly kind: "wait" };

/** A call that needs the approval of a person, as stored in the transcript. */
export interface PendingCall {
  readonly approval: string;
  /** The id of the call in the approval request. */
  readonly call: string;
  /** Hash of the tool and its arguments, which are not stored: transcripts hold no secrets. */
  readonly digest: string;
  /** The call in one line. */
  readonly words: string;
}

export function createPermissionBroker(
  { agent, approvals, cwd, personalFolders }: Pick<SessionSpec, "agent" | "approvals" | "cwd" | "personalFolders">,
  step: number,
  decided: readonly PendingCall[],
): PermissionBroker {
  const project = projectFolder({ cwd, agent });
  const privacyInProject = pathPrivacy(personalFolders);
  const privacy: PathPrivacy = (path) => privacyInProject(relative(project, resolve(cwd, path)));
  const unused = [...decided];
  let pending: PendingCall | null = null;
  const times = new Map<string, number>();

  const idOf = (digest: string): string => {
    const at = unused.findIndex((call) => call.digest === digest);
    const [call] = at === -1 ? [] : unused.splice(at, 1);
    if (call !== undefined) return call.call;
    const count = (times.get(digest) ?? 0) + 1;
    times.set(digest, count);
    return `step-${step}-${digest}-${count}`;
  };

  return {
    async decide(call) {
      if (pending !== null) return { kind: "wait" };
      const byRules = await decideCall(agent.permissions, call, cwd, privacy);
      if (byRules.decision === "deny") return { kind: "refuse", reason: byRules.reason };
      if (byRules.decision === "allow") return { kind: "allow" };
      // Refused and not allowed: the file may be another one when the program writes.
      if (await changesNothing(call.args, cwd)) return { kind: "refuse", reason: NOTHING_TO_DO };
      const { tool } = call;
      const args = sortKeys(call.args);
      const digest = hash("sha256", JSON.stringify([tool, args])).slice(0, 32);
      const id = idOf(digest);
      const answer = await approvals.ask({ id, tool, args });
      if (!("pending" in answer)) return toDecision(answer);
      pending = { approval: answer.pending, call: id, digest, words: callLine(tool, args, (text) => text) };
      return { kind: "wait" };
    },
    pending: () => (pending === null ? null : [...unused, pending]),
  };
}

const NOTHING_TO_DO = "The file has this content already: nothing would change, so nobody was asked. Go on.";

/** Returns the prompt with the decision, for the program. */
export function decisionPrompt({ words }: PendingCall, answer: Exclude<ApprovalAnswer, { pending: string }>): string {
  return answer.approved
    ? `A person approved the call you were stopped at: ${words}\nMake it once more, exactly as it was, then go on.`
    : `A person refused the call you were stopped at: ${words}\nTheir reason: ${answer.reason}\nGo on without it.`;
}

function toDecision(answer: Exclude<ApprovalAnswer, { pending: string }>): PermissionDecision {
  return answer.approved
    ? { kind: "allow" }
    : { kind: "refuse", reason: `A person refused this call: ${answer.reason}` };
}

/** Models write the same arguments in any order; their hash must not depend on it. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortKeys(inner)]));
}
