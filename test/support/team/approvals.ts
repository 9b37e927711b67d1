import type { ApprovalAnswer, Approvals, ToolCall } from "../../../src/ports/tools.ts";

/** A person who decides when told to, with every question on record. */
export interface RecordingApprovals extends Approvals {
  readonly asked: ToolCall[];
  /** What every question that waits is answered with from now on. */
  decide(answer: Exclude<ApprovalAnswer, { pending: string }>): void;
}

export function recordingApprovals(): RecordingApprovals {
  const asked: ToolCall[] = [];
  const answers = new Map<string, ApprovalAnswer>();
  const idOf = ({ id, tool, args }: ToolCall): string => JSON.stringify([id, tool, args]);
  const approvals = new Map<string, string>();
  return {
    asked,
    decide: (answer) => {
      for (const [approval, before] of answers) if ("pending" in before) answers.set(approval, answer);
    },
    ask: async (call) => {
      const known = approvals.get(idOf(call));
      if (known !== undefined) return answers.get(known) ?? { pending: known };
      asked.push(call);
      const approval = `apr_${asked.length}`;
      approvals.set(idOf(call), approval);
      answers.set(approval, { pending: approval });
      return { pending: approval };
    },
    answer: async (approval) => answers.get(approval) ?? { approved: false, reason: "nobody asked" },
  };
}
