import type { AgentDetailView, AgentView } from "../../../src/contract/agents.ts";
import type { agentToolsView } from "../../../src/contract/agent-tools.ts";
import type { ApprovalView } from "../../../src/contract/approvals.ts";
import type { BallotView } from "../../../src/contract/ballots.ts";
import type { documentListView, documentView, SuggestionView } from "../../../src/contract/documents.ts";
import type { DeliveryView, MessageView, ReceiptView } from "../../../src/contract/messages.ts";
import type {
  conversationEntryView,
  MemoryEntryView,
  noteView,
  todoView,
} from "../../../src/contract/memory.ts";
import type { questionView } from "../../../src/contract/recall.ts";
import type { ResourcePageView } from "../../../src/contract/resources.ts";
import type { RuleView } from "../../../src/contract/rules.ts";
import type { RunDetailView, RunView } from "../../../src/contract/runs.ts";
import type { ScheduleView } from "../../../src/contract/schedules.ts";
import type { SoulProposalView, SoulVersionView, SoulView } from "../../../src/contract/souls.ts";
import type { UsageView } from "../../../src/contract/usage.ts";
import type { WorkflowView } from "../../../src/contract/workflow.ts";
import type { workspaceDetailView, WorkspaceView } from "../../../src/contract/workspaces.ts";

type Shown<Schema extends { readonly _output: unknown }> = Schema["_output"];
interface Decision {
  readonly id: string;
  readonly target?: string;
  readonly reason?: string;
}

/**
 * The operations this page uses, with what it gives them and what it reads of their answers. A test holds it to the
 * daemon's own: what is written here is what the daemon takes, and no more than it answers.
 */
export interface Operations {
  "list-agents": { input: Record<string, never>; output: { readonly agents: readonly AgentView[] } };
  "show-agent": { input: { readonly name: string }; output: AgentDetailView };
  "list-tools": { input: { readonly agent: string }; output: Shown<typeof agentToolsView> };
  "list-memory": { input: { readonly agent: string }; output: { readonly entries: readonly MemoryEntryView[] } };
  "list-questions": {
    input: { readonly agent: string; readonly limit?: number };
    output: { readonly questions: readonly Shown<typeof questionView>[] };
  };
  "show-soul": { input: { readonly agent: string }; output: SoulView };
  "list-soul-versions": {
    input: { readonly agent: string };
    output: { readonly versions: readonly SoulVersionView[] };
  };
  "roll-back-soul": { input: { readonly agent: string; readonly version: number }; output: unknown };
  "list-soul-proposals": {
    input: { readonly state: "open" };
    output: { readonly proposals: readonly SoulProposalView[] };
  };
  "approve-soul": { input: Omit<Decision, "target">; output: unknown };
  "reject-soul": { input: Omit<Decision, "target">; output: unknown };
  "list-notes": { input: { readonly agent: string }; output: { readonly notes: readonly Shown<typeof noteView>[] } };
  "read-note": { input: { readonly agent: string; readonly name: string }; output: { readonly content: string } };
  "list-todos": { input: { readonly agent: string }; output: { readonly todos: readonly Shown<typeof todoView>[] } };
  "add-todo": { input: { readonly agent: string; readonly text: string }; output: unknown };
  "finish-todo": { input: { readonly agent: string; readonly number: number }; output: unknown };
  "read-conversation": {
    input: { readonly agent: string; readonly limit?: number };
    output: { readonly entries: readonly Shown<typeof conversationEntryView>[] };
  };
  "list-schedules": { input: object; output: { readonly schedules: readonly ScheduleView[] } };

  "list-workspaces": {
    input: { readonly state?: "open" | "closed" };
    output: { readonly workspaces: readonly WorkspaceView[] };
  };
  "list-workflows": { input: Record<string, never>; output: { readonly workflows: readonly WorkflowView[] } };
  "list-rules": { input: { readonly target: string }; output: { readonly rules: readonly RuleView[] } };
  "remove-rule": { input: Omit<Decision, "reason">; output: unknown };
  "show-workspace": { input: { readonly target: string }; output: Shown<typeof workspaceDetailView> };
  "close-workspace": { input: { readonly target: string }; output: unknown };

  "peek-channel": {
    input: { readonly target: string; readonly since?: number; readonly before?: number; readonly limit?: number };
    output: { readonly messages: readonly MessageView[] };
  };
  "send-message": {
    input: { readonly to: string; readonly message: string; readonly idempotencyKey?: string };
    output: ReceiptView;
  };
  "read-resource": { input: { readonly id: string; readonly offset?: number }; output: ResourcePageView };

  "list-documents": { input: { readonly target: string }; output: Shown<typeof documentListView> };
  "read-document": { input: { readonly target: string; readonly file: string }; output: Shown<typeof documentView> };

  "list-ballots": {
    input: { readonly target: string; readonly all?: boolean; readonly limit?: number };
    output: { readonly ballots: readonly BallotView[] };
  };
  "cast-vote": { input: Decision & { readonly option: string }; output: BallotView };
  "list-approvals": { input: object; output: { readonly approvals: readonly ApprovalView[] } };
  approve: { input: Decision; output: ApprovalView };
  deny: { input: Decision; output: ApprovalView };
  "list-dead-letters": { input: object; output: { readonly deliveries: readonly DeliveryView[] } };
  "retry-dead-letter": { input: Omit<Decision, "reason">; output: unknown };
  "drop-dead-letter": { input: Omit<Decision, "reason">; output: unknown };
  "list-suggestions": {
    input: { readonly target: string };
    output: { readonly suggestions: readonly SuggestionView[] };
  };
  "accept-suggestion": { input: Omit<Decision, "reason">; output: unknown };
  "reject-suggestion": { input: Decision; output: unknown };

  "list-runs": {
    input: { readonly target?: string; readonly unfinished?: boolean; readonly limit?: number };
    output: { readonly runs: readonly RunView[] };
  };
  "show-run": { input: { readonly id: string }; output: RunDetailView };
  "show-usage": {
    input: { readonly target?: string };
    output: {
      readonly total: UsageView;
      readonly agents: readonly { readonly agent: string; readonly mailbox: string; readonly usage: UsageView }[];
    };
  };
}

export type Input<Name extends keyof Operations> = Operations[Name]["input"];
export type Output<Name extends keyof Operations> = Operations[Name]["output"];
