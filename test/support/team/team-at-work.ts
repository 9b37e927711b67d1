import { agentFile, workflowFile } from "./team.ts";

/** What the team that is killed and whoever checks it afterwards agree on. */
export const TEAM_NAMES = ["alice", "bob", "carol", "dave", "erin"];
export const TEAM_LOG = "steps.log";
export const STEPS_PER_RUN = 3;

export const TEAM_FILES: Readonly<Record<string, string>> = {
  ...Object.assign({}, ...TEAM_NAMES.map((name) => agentFile(name))),
  ...workflowFile("team", `agents:\n${TEAM_NAMES.map((name) => `  ${name}: { ref: ${name} }\n`).join("")}`),
};

/** A line of the log, closed by a dot and begun on a line of its own: a kill may cut any write short, even this one. */
export function stepRecord(life: string, run: string, step: number): string {
  return `\n${life} ${run} ${step}.\n`;
}

/** The whole records of a log. One that was cut off says of a step only that it was about to begin. */
export function stepsIn(log: string): { readonly life: number; readonly run: string; readonly step: number }[] {
  return [...log.matchAll(/^(\d+) (\S+) (\d+)\.$/gm)].map(([, life, run = "", step]) => ({
    life: Number(life),
    run,
    step: Number(step),
  }));
}

/** Most of what a person asks is answered at once; every fourth question is handed to a colleague, who answers it. */
export function reply(agent: string, inbox: string): string {
  const asked = inbox.split("</message>").flatMap((message) => {
    const fromUser = message.includes('from="user"');
    const keys = keysIn(fromUser ? message : (message.split(REQUEST)[1] ?? ""));
    return keys.map((key) => ({ key, handOver: fromUser && Number(key.slice(1)) % 4 === 0 }));
  });
  const mine = asked.filter(({ handOver }) => !handOver).map(({ key }) => key);
  const theirs = asked.filter(({ handOver }) => handOver).map(({ key }) => key);
  const next = TEAM_NAMES[(TEAM_NAMES.indexOf(agent) + 1) % TEAM_NAMES.length];
  const answer = mine.length === 0 ? "" : `${ANSWER} ${mine.join(" ")}. `;
  return theirs.length === 0 ? answer : `${answer}@${next} ${REQUEST} ${theirs.join(" ")}`;
}

/** Some send their answer in the middle of a step that may still be cut off and made again; it must not show. */
export function answersByTool(agent: string): boolean {
  return TEAM_NAMES.indexOf(agent) % 2 === 1;
}

const ANSWER = "Here is the answer to";
const REQUEST = "please answer";

/** What a message answers, as opposed to what it asks of others. */
export function answersIn(body: string): string[] {
  return body.startsWith(ANSWER) ? keysIn(body.split("@")[0] ?? "") : [];
}

/** Every message of a person carries a key of its own; whoever answers names it. */
export function keysIn(text: string): string[] {
  return [...new Set(text.match(/\bk\d+\b/g))];
}
