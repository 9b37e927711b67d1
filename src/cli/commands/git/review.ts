import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "../../../client/client.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import type { RequestResult } from "../../../contract/service/work-request.ts";
import { enclosingProject } from "../../../files/project/find-project.ts";
import { defineCommand } from "../../command.ts";
import { connectForCommand } from "../../connect-for-command.ts";
import { interruption } from "../../follow/interruption.ts";
import { noteWaiting } from "../../follow/note-waiting.ts";
import { offerStop } from "../../follow/offer-stop.ts";
import { watchRequest } from "../../follow/watch-request.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";
import { formatSpace } from "../../output/format-space.ts";
import { reportResult } from "../../output/report-result.ts";
import { openRunDisplay } from "../../follow/run-display.ts";
import { Refused, refusedBy } from "../../refused.ts";
import { readChanges, type ReviewedChanges } from "./review-changes.ts";
import { chooseEngine } from "./review-engine.ts";
import { readReview } from "./review-result.ts";
import { DIFF_DOCUMENT, REVIEW_DOCUMENT, REVIEW_WORKFLOW, writeReviewTeam } from "./review-team.ts";

export const review = defineCommand({
  about: [
    "Lets a team of two review a change, in any git repository, without any file: one looks for what is wrong, the other",
    "checks each finding. Without a word it is what is checked out, with what is not committed. The result is a document,",
    "review.md, which is printed. They read and change nothing.",
    "The team runs on what this machine has: a program with a login (Claude Code, Codex, OpenCode), a provider with a key, or",
    "a model of Ollama or LM Studio. Ctrl-C only stops the waiting, and says how to stop the review; a second one stops it.",
    "Exit code 0: nothing was found. 1: there are findings. 5: the review was not finished. Others as always.",
  ].join("\n"),
  words: ["[BRANCH|PR]"],
  options: {
    base: { value: "BRANCH", about: "Compare with this branch (that of origin/HEAD, main or master)" },
    backend: { value: "NAME", about: "The engine of the reviewers, such as claude" },
    model: { value: "NAME", about: "Their model" },
    "base-url": { value: "URL", about: "A server of your own for the model, with an interface like that of OpenAI" },
  },
  failureExit: EXIT.noResult,
  examples: ["agent-worker review", "agent-worker review feature/login --base develop", "agent-worker review 12"],

  async run(invocation) {
    const { options, terminal, json, words } = invocation;
    const dir = repositoryProject(invocation);
    using client = await connectForCommand(terminal, dir, invocation.trust);
    const changes = await readChanges(client, terminal, dir, { what: words[0], base: options.base });
    if (changes.diff.trim() === "") {
      const { branch, base } = changes;
      return invocation.print(
        { branch, base, findings: 0, review: null },
        `${branch} changes nothing compared with ${base}.\n`,
      );
    }
    const engine = await chooseEngine(terminal, dir, { ...options, baseUrl: options["base-url"] });
    const file = writeReviewTeam(terminal, engine);
    const result = await runTeam(invocation, client, file, changes);
    if (result === undefined) {
      const workspace = workspaceOf(changes);
      const follow = `No longer waiting; the review goes on. Follow it with: agent-worker peek ${workspace} --follow`;
      if (!(await offerStop(client, terminal, { stop: { workspace }, follow })) && !terminal.interactive)
        terminal.note(`Stop it with: agent-worker stop ${workspace}\n`);
      return EXIT.interrupted;
    }
    const text = await readDocument(client, result);
    const findings = text === undefined || !result.success ? null : readReview(text).findings;
    const { branch, base } = changes;
    invocation.print(
      { branch, base, findings, review: text ?? null, space: result.space, outcome: result.outcome },
      text === undefined ? "" : `${text.trimEnd()}\n`,
    );
    if (findings === null) {
      // What a limit ended stays open for a person, and would be in the way of the next review.
      if (!result.success && result.outcome !== "parked")
        await client.call("close-workspace", { target: result.space });
      if (!json) {
        reportResult(terminal, result, json);
        terminal.note(
          `There is no finished review. Read what was said: agent-worker peek ${formatSpace(result.space)}\n`,
        );
      }
      return EXIT.noResult;
    }
    if (!json) terminal.note(endText(findings, result.space));
    return findings === 0 ? EXIT.ok : EXIT.failed;
  },
});

/** The project that the folder is in; without one, the repository: nothing has to be prepared there. */
function repositoryProject(invocation: Invocation): string {
  const dir = invocation.projectDir();
  const top = repositoryTop(dir);
  if (top === undefined) {
    throw new Refused({
      code: "not_found",
      message: `${dir} is not in a git repository.`,
      hint: "Go to a repository first, or name one with --project DIR.",
    });
  }
  return enclosingProject(dir, invocation.terminal.env["HOME"]) ?? top;
}

function repositoryTop(dir: string): string | undefined {
  for (let folder = dir; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

async function runTeam(
  { terminal, json }: Invocation,
  client: Client,
  workflow: string,
  changes: ReviewedChanges,
): Promise<RequestResult | undefined> {
  const request = {
    workflow,
    tag: tagOf(changes.branch),
    message: kickoffText(changes),
    documents: { [DIFF_DOCUMENT]: changes.diff },
  };
  using interrupted = interruption();
  // On a terminal people see them work; elsewhere only the review is printed.
  using display =
    json || terminal.columns === undefined ? undefined : openRunDisplay(terminal, { json, verbose: false });
  const show = display === undefined ? noteWaiting(terminal, json) : display.show;
  const watched = await watchRequest(client, request, show, interrupted.signal);
  switch (watched.kind) {
    case "done":
      return watched.result;
    case "refused":
      if (!watched.began && watched.error.code === "conflict") await refuseRunning(client, changes);
      throw refusedBy(watched.error);
    case "interrupted":
      return undefined;
  }
}

/** Refuses with what can be done about a review of the same branch that is not over. */
async function refuseRunning(client: Client, changes: ReviewedChanges): Promise<void> {
  const listed = await client.call("list-workspaces", { state: "open" });
  const workspace = workspaceOf(changes);
  if (!listed.ok || !listed.value.workspaces.some(({ space }) => formatSpace(space) === workspace)) return;
  throw new Refused({
    code: "conflict",
    message: `A review of ${changes.branch} is running already.`,
    hint: `Follow it: agent-worker peek ${workspace} --follow\nOr stop it first: agent-worker stop ${workspace}`,
  });
}

/** The workspace of a review, as people name it. */
function workspaceOf({ branch }: ReviewedChanges): string {
  return formatSpace(`@${REVIEW_WORKFLOW}:${tagOf(branch)}`);
}

/** A branch may have a slash, a tag may not. */
function tagOf(branch: string): string {
  return (
    branch
      .replaceAll(/[^\w.-]+/gu, "-")
      .replace(/^[-.]+|[-.]+$/gu, "")
      .slice(0, 64) || "main"
  );
}

function kickoffText({ size, cut, isCheckedOut, ...names }: ReviewedChanges): string {
  // The name of a branch may contain an @: as code it mentions nobody.
  const [branch, base] = [names.branch, names.base].map((name) => `\`${name.replaceAll("`", "'")}\``);
  return [
    `@reviewer please review what ${branch} changes compared with ${base}${size === "" ? "" : ` (${size})`}.`,
    `The diff is the document ${DIFF_DOCUMENT}${cut ? ", which has only its first part: say so in the review" : ""}.`,
    isCheckedOut
      ? "The files of the project are as the change leaves them."
      : `The files of the project are not those of ${branch}: only the diff shows its lines.`,
  ].join("\n");
}

/** A team that answered without writing the document said its review in the channel: the document is made of that. */
async function readDocument(client: Client, { space, content, success }: RequestResult): Promise<string | undefined> {
  const read = await client.call("read-document", { target: space, file: REVIEW_DOCUMENT });
  if (read.ok) return read.value.content;
  if (!success || readReview(content).findings === null) return undefined;
  await client.call("write-document", { target: space, file: REVIEW_DOCUMENT, content });
  return content;
}

function endText(findings: number, space: string): string {
  const found = findings === 0 ? "Nothing was found." : `${countOf(findings, "finding")}.`;
  return `\n${found} The document: agent-worker doc read ${formatSpace(space)} ${REVIEW_DOCUMENT}\n`;
}
