import type { SoulChangeView, SoulProposalView, SoulVersionView, SoulView } from "../../../contract/souls.ts";
import { countOf } from "../../output/count-of.ts";
import { formatSpace } from "../../output/format-space.ts";
import type { Paint } from "../../output/paint.ts";
import { speakersText } from "../../output/untrusted-mark.ts";

const SIGNS = { add: "+", remove: "-", replace: "=", restore: "~" } as const;

export function changeLine({ kind, trait, value }: SoulChangeView): string {
  return `${SIGNS[kind]} ${trait}${value === null ? "" : `: ${value}`}`;
}

export function describeSoul(paint: Paint, view: SoulView, hint: (text: string) => string): string {
  const { agent, soul, baseline, learned, version, edited, problem, open } = view;
  const traits = Object.entries(soul).map(([trait, value]) => traitText(trait, value));
  const changes: SoulChangeView[] = [
    ...listChanges("add", learned.add),
    ...listChanges("remove", learned.remove),
    ...Object.entries(learned.replace).map(([trait, value]) => ({ kind: "replace" as const, trait, value })),
  ];
  const lines = [
    `${paint.as(agent, agent)}, version ${version}${edited.length === 0 ? "" : " and edited by hand"}`,
    ...(traits.length === 0 ? ["It has no soul."] : traits),
  ];
  if (changes.length > 0) {
    lines.push(paint.dim("learned, on top of the definition:"), ...changes.map((change) => `  ${changeLine(change)}`));
    const replaced = Object.keys(learned.replace).flatMap((trait) =>
      trait in baseline ? [`  ${traitText(trait, baseline[trait])}`] : [],
    );
    if (replaced.length > 0) lines.push(paint.dim("in the definition:"), ...replaced);
  }
  if (problem !== null) lines.push(`What it learned cannot be read, and only the definition counts: ${problem}`);
  if (open > 0) lines.push(hint(`${countOf(open, "proposal")} to decide: agent-worker agent soul ${agent} proposals`));
  return `${lines.join("\n")}\n`;
}

export function versionText({ version, at, by, why, evidence, changes }: SoulVersionView): string {
  const shown = evidence.length === 0 ? "" : `  evidence: ${evidence.join(", ")}\n`;
  const difference = changes.map((change) => `  ${changeLine(change)}\n`).join("");
  return `version ${version}  ${at}  by ${by}\n${difference}  why: ${why}\n${shown}`;
}

export function proposalText(proposal: SoulProposalView): string {
  const { id, agent, source, author, observation, change, risk, evidence, run, heard, outside, times, state } =
    proposal;
  const from = source === "observation" ? "observed by the guard" : `suggested by ${author}`;
  const lines = [
    `${id}  for ${agent}, ${from}${times > 1 ? ` ${times} times` : ""}, ${risk}`,
    `  ${changeLine(change)}`,
    `  why: ${observation}`,
  ];
  if (source === "agent")
    lines.push(
      `  in: ${formatSpace(proposal.space ?? "")} ${run ?? ""}`.trimEnd(),
      `  ${speakersText(heard, outside)}`,
    );
  if (evidence.length > 0) lines.push(`  evidence: ${evidence.join(", ")}`);
  if (state !== "open") {
    const reason = proposal.reason === null ? "" : `: ${proposal.reason}`;
    lines.push(`  ${state} by ${proposal.decidedBy ?? ""}${reason}`);
  }
  return `${lines.join("\n")}\n`;
}

function listChanges(kind: "add" | "remove", lists: Readonly<Record<string, readonly string[]>>): SoulChangeView[] {
  return Object.entries(lists).flatMap(([trait, items]) => items.map((value) => ({ kind, trait, value })));
}

function traitText(trait: string, value: unknown): string {
  if (Array.isArray(value)) return `${trait}:${value.map((item) => `\n  ${String(item)}`).join("")}`;
  return `${trait}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}
