import { parseSpace } from "../../domain/message/space.ts";
import type { Access } from "../../kernel/proposal.ts";
import type { ProposalAccess } from "./definition.ts";

type AccessObject = Exclude<ProposalAccess, string>;

/** The rule of the kernel for what a definition says about access. The system calls for ballots. */
export function accessRule(access: ProposalAccess): Access {
  const { person: allowsPerson = false, agents = false, workflows } = toObject(access);
  return (caller) => {
    if (caller.kind === "system") return undefined;
    if (caller.kind === "person") {
      return allowsPerson ? undefined : { code: "forbidden", message: "Only agents may do this." };
    }
    if (agents === false) {
      return { code: "forbidden", message: "Only a person may do this.", hint: "Ask in the channel." };
    }
    if (Array.isArray(agents) && !agents.includes(caller.name)) {
      return { code: "forbidden", message: `This is not for ${caller.name}.`, hint: "Ask who may, in the channel." };
    }
    if (workflows === undefined) return undefined;
    const space = parseSpace(caller.space);
    const isThere = space.ok && space.value.kind === "workspace" && workflows.includes(space.value.workflow);
    return isThere ? undefined : { code: "forbidden", message: `This is only for ${workflows.join(", ")}.` };
  };
}

function toObject(access: ProposalAccess): AccessObject {
  switch (access) {
    case "person":
      return { person: true };
    case "agents":
      return { agents: true };
    case "everyone":
      return { person: true, agents: true };
    default:
      return access;
  }
}

/** In words, for lists. */
export function accessText(access: ProposalAccess): string {
  const { person: allowsPerson = false, agents = false, workflows } = toObject(access);
  const named = Array.isArray(agents) ? agents.join(", ") : agents === true ? "agents" : "";
  const place = workflows === undefined ? "" : ` in ${workflows.join(", ")}`;
  const parts = [...(allowsPerson ? ["person"] : []), ...(named === "" ? [] : [`${named}${place}`])];
  return parts.length === 2 && named === "agents" && place === "" ? "everyone" : parts.join(", ") || "nobody";
}
