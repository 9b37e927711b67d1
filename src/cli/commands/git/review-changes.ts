import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Client } from "../../../client/client.ts";
import { countOf } from "../../output/count-of.ts";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";

/** What is reviewed. */
export interface ReviewedChanges {
  readonly branch: string;
  readonly base: string;
  readonly diff: string;
  /** The diff is only the beginning. */
  readonly cut: boolean;
  /** `3 files, +10 -2`; empty when it is not known. */
  readonly size: string;
  /** It is what the project has checked out. */
  readonly isCheckedOut: boolean;
}

const PULL_REQUEST = /^(?:#?(\d+)|https:\/\/[^\s/]+\/[^\s]+\/pull\/(\d+))$/u;
const MAX_DIFF_CHARS = 400_000;

export async function readChanges(
  client: Client,
  terminal: Terminal,
  dir: string,
  { what, base }: { readonly what: string | undefined; readonly base: string | undefined },
): Promise<ReviewedChanges> {
  const [, number, linked] = PULL_REQUEST.exec(what ?? "") ?? [];
  const pullRequest = number ?? linked;
  if (pullRequest !== undefined) return readPullRequest(terminal, dir, pullRequest);
  const shown = await client.call("show-changes", {
    ...(what === undefined ? {} : { branch: what }),
    ...(base === undefined ? {} : { base }),
  });
  if (!shown.ok) throw new Refused(shown.error);
  const { branch, files, insertions, deletions, diff, cut } = shown.value;
  const size = `${countOf(files.length, "file")}, +${insertions} -${deletions}`;
  return { branch, base: shown.value.base, diff, cut, size, isCheckedOut: what === undefined };
}

/** Asks the program of GitHub, with the login that the person has there. */
async function readPullRequest({ env }: Terminal, dir: string, number: string): Promise<ReviewedChanges> {
  const view = await gh(env, dir, ["pr", "view", number, "--json", "headRefName,baseRefName"], number);
  const { headRefName, baseRefName } = JSON.parse(view) as { headRefName?: string; baseRefName?: string };
  const whole = await gh(env, dir, ["pr", "diff", number, "--color", "never"], number);
  const isPlain = (name: string | undefined): name is string => name !== undefined && /^[\w./#+@-]{1,200}$/u.test(name);
  return {
    branch: `pr-${number}`,
    base: isPlain(baseRefName) ? baseRefName : "its base",
    diff: whole.slice(0, MAX_DIFF_CHARS),
    cut: whole.length > MAX_DIFF_CHARS,
    size: isPlain(headRefName) ? `branch ${headRefName}` : "",
    isCheckedOut: false,
  };
}

async function gh(env: Terminal["env"], cwd: string, args: readonly string[], number: string): Promise<string> {
  const child = spawn("gh", args, {
    cwd,
    env: { ...env, GH_PROMPT_DISABLED: "1", GH_PAGER: "cat" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").then(
    () => true,
    () => false,
  );
  const [out, err, hasStarted] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (hasStarted && child.exitCode === 0) return out;
  const fetch = `Or fetch its branch, and review that: git fetch origin pull/${number}/head:pr-${number} && agent-worker review pr-${number}`;
  if (!hasStarted) {
    throw new Refused({
      code: "not_found",
      message: "A pull request is read with gh, the program of GitHub, which is not installed here.",
      hint: `Install it: https://cli.github.com\n${fetch}`,
    });
  }
  throw new Refused({
    code: "failed",
    message: `gh could not read the pull request: ${err.trim().slice(0, 500)}`,
    hint: fetch,
  });
}
