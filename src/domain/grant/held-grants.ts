import { PERSON, type MessageKind } from "../message/message.ts";
import { readGrant, readRevocation, type Grant, type HeldGrant, type Revocation } from "./grant.ts";

/** The tools with which an agent gives and takes back what it may hand on. */
const GRANT_TOOLS: readonly string[] = ["grant", "revoke"];

/** A grant never takes anything away: a right to hand on stays, and what a person gave stays given by the person. */
export function afterGrant(held: readonly HeldGrant[], by: string, grant: Grant): readonly HeldGrant[] {
  return grant.tools.reduce<readonly HeldGrant[]>((before, tool) => {
    const earlier = before.find((each) => each.agent === grant.agent && each.tool === tool);
    const handOn = grant.handOn || (earlier?.handOn ?? false);
    const givenBy = earlier === undefined || by === PERSON ? by : earlier.givenBy;
    const others = before.filter((each) => each !== earlier);
    return [...others, { agent: grant.agent, tool, handOn, givenBy }];
  }, held);
}

/** Whoever got a tool from an agent loses it together with that agent, and so on. */
export function afterRevocation(held: readonly HeldGrant[], { agent, tools }: Revocation): readonly HeldGrant[] {
  return tools.reduce<readonly HeldGrant[]>((before, tool) => withoutChain(before, agent, tool), held);
}

function withoutChain(held: readonly HeldGrant[], agent: string, tool: string): readonly HeldGrant[] {
  const rest = held.filter((each) => each.agent !== agent || each.tool !== tool);
  const next = rest.filter((each) => each.tool === tool && each.givenBy === agent);
  return next.reduce<readonly HeldGrant[]>((before, each) => withoutChain(before, each.agent, tool), rest);
}

/** Returns what is held after these messages of a space, oldest first. Other messages change nothing. */
export function grantsAfter(
  messages: readonly { readonly kind: MessageKind; readonly sender: string; readonly body: string }[],
): readonly HeldGrant[] {
  return messages.reduce<readonly HeldGrant[]>((held, { kind, sender, body }) => {
    const grant = kind === "grant" ? readGrant(body) : undefined;
    if (grant !== undefined) return afterGrant(held, sender, grant);
    const revocation = kind === "revoke" ? readRevocation(body) : undefined;
    return revocation === undefined ? held : afterRevocation(held, revocation);
  }, []);
}

/** Returns the tools of one agent by its grants. Who may hand on something can also do it. */
export function grantedTools(held: readonly Pick<HeldGrant, "tool" | "handOn">[]): readonly string[] {
  const handsOn = held.some(({ handOn }) => handOn);
  return [...new Set([...held.map(({ tool }) => tool), ...(handsOn ? GRANT_TOOLS : [])])];
}
