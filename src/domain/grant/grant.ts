/**
 * A grant is a message that gives an agent tools of the team, and a revocation is a message that takes them back. What
 * an agent holds at a message follows from the messages of the space before it. The first line of their body is written
 * and read here only; a reason may follow it.
 */
export interface Grant {
  readonly agent: string;
  readonly tools: readonly string[];
  /** The agent may also give these tools to others. */
  readonly handOn: boolean;
}

export type Revocation = Pick<Grant, "agent" | "tools">;

/** One tool that an agent holds by a grant. */
export interface HeldGrant {
  readonly agent: string;
  readonly tool: string;
  readonly handOn: boolean;
  readonly givenBy: string;
}

const GRANT = /^(\S+) may use ([\w, -]+?)( and hand (?:it|them) on)?\.$/;
const REVOCATION = /^(\S+) may no longer use ([\w, -]+)\.$/;

export function formatGrant({ agent, tools, handOn }: Grant): string {
  const right = handOn ? ` and hand ${tools.length === 1 ? "it" : "them"} on` : "";
  return `${agent} may use ${tools.join(", ")}${right}.`;
}

export function formatRevocation({ agent, tools }: Revocation): string {
  return `${agent} may no longer use ${tools.join(", ")}.`;
}

/** Returns what a message with this body gives; undefined when its first line is no grant. */
export function readGrant(body: string): Grant | undefined {
  const [, agent, tools, handOn] = GRANT.exec(firstLine(body)) ?? [];
  if (agent === undefined || tools === undefined) return undefined;
  return { agent, tools: tools.split(", "), handOn: handOn !== undefined };
}

export function readRevocation(body: string): Revocation | undefined {
  const [, agent, tools] = REVOCATION.exec(firstLine(body)) ?? [];
  return agent === undefined || tools === undefined ? undefined : { agent, tools: tools.split(", ") };
}

function firstLine(body: string): string {
  return body.split("\n", 1)[0] ?? "";
}
