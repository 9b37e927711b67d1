import type { AgentView } from "../../../../src/contract/agents.ts";
import type { FoundView } from "../../../../src/contract/reading/search.ts";
import type { WorkspaceView } from "../../../../src/contract/workspaces.ts";
import { plainLine } from "../../text/plain-line.ts";
import { spaceName } from "../../text/space-name.ts";
import { isRepeatedQuestion } from "../runs/repeated-question.ts";
import { hrefOf, type Route } from "../route.ts";

/** One line of the search: where it leads, or what it does. */
export interface QuickItem {
  readonly key: string;
  readonly kind: "place" | "command" | "message" | "document" | "run" | "more";
  readonly label: string;
  /** What stands beside it. */
  readonly detail?: string;
  readonly route?: Route;
  readonly run?: () => void;
}

const MOST_PLACES = 8;

/** Returns the places and commands whose names contain the text; before anything is typed, the first ones. */
export function placeOptions(
  text: string,
  {
    workspaces,
    agents,
    commands,
  }: {
    readonly workspaces: readonly Pick<WorkspaceView, "space" | "name">[];
    readonly agents: readonly Pick<AgentView, "name">[];
    readonly commands: readonly QuickItem[];
  },
): readonly QuickItem[] {
  const place = (label: string, route: Route): QuickItem => ({ key: hrefOf(route), kind: "place", label, route });
  const places = [
    ...workspaces.map(({ space, name }) => place(`@${name}`, { view: "channel", space })),
    ...agents.map(({ name }) => place(name, { view: "channel", space: name })),
    place("Overview", { view: "overview" }),
    place("Decisions", { view: "decisions" }),
    place("Runs", { view: "runs", target: undefined }),
    place("Team", { view: "team", target: undefined }),
    place("Usage", { view: "usage" }),
    place("Files", { view: "files", file: undefined }),
    place("Schedules", { view: "schedules" }),
    place("Setup", { view: "setup" }),
    ...workspaces.flatMap(({ space, name }) => [
      place(`@${name} documents`, { view: "documents", space, file: undefined }),
      place(`@${name} timeline`, { view: "team", target: space }),
    ]),
    ...agents.map(({ name }) => place(`${name} about`, { view: "agent", agent: name })),
  ];
  const typed = text.trim().toLowerCase();
  const matches = ({ label }: QuickItem): boolean => label.toLowerCase().includes(typed);
  return [...places.filter(matches).slice(0, MOST_PLACES), ...(typed === "" ? [] : commands.filter(matches))];
}

const LONGEST = 140;

/** Returns what the daemon found, as lines that lead to it. */
export function foundOptions(text: string, { messages, documents, runs }: FoundView): readonly QuickItem[] {
  return [
    ...documents.map((found): QuickItem => ({
      key: `document ${found.space} ${found.file}`,
      kind: "document",
      label: plainLine(found.text) === "" ? found.file : plainLine(found.text),
      detail: `${spaceName(found.space)} ${found.file}`,
      route: { view: "documents", space: found.space, file: found.file },
    })),
    ...runs.map((found): QuickItem => ({
      key: found.id,
      kind: "run",
      label: around(found.detail ?? `a run of ${found.agent}`, text),
      detail: `${found.agent} in ${spaceName(found.space)}`,
      route: { view: "run", run: found.id },
    })),
    // A question that was asked again is found where it was asked first, in the words of the person.
    ...messages
      .filter((found) => !isRepeatedQuestion(found))
      .map((found): QuickItem => ({
        key: found.id,
        kind: "message",
        label: around(found.content, text),
        detail: `${found.from === "user" ? "you" : found.from} in ${spaceName(found.space)}`,
        route: { view: "channel", space: found.space, message: found.seq },
      })),
  ];
}

/** Returns one line of the text, from a little before the words on. */
function around(content: string, text: string): string {
  const line = plainLine(content.replaceAll(/\s+/g, " "));
  const at = Math.max(0, line.toLowerCase().indexOf(text.trim().toLowerCase()) - 40);
  const part = line.slice(at, at + LONGEST);
  return `${at > 0 ? "…" : ""}${part}${at + LONGEST < line.length ? "…" : ""}`;
}
