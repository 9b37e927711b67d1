import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client } from "../../../client/client.ts";
import { homeFolder } from "../../../client/home.ts";
import { prepareHome } from "../../../client/prepare-home.ts";
import { createClient } from "../../../client/create-client.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import type { RunEvent } from "../../../contract/service/work-request.ts";
import { openDaemon } from "../../../daemon/daemon.ts";
import { defineCommand } from "../../command.ts";
import { interruption } from "../../follow/interruption.ts";
import { watchRequest } from "../../follow/watch-request.ts";
import { countOf } from "../../output/count-of.ts";
import type { Terminal } from "../../output/terminal.ts";
import { paintFor } from "../../output/paint.ts";
import { reportResult } from "../../output/report-result.ts";
import { showRunEvents } from "../../output/show-run-events.ts";
import { refusedBy, Refused } from "../../refused.ts";

const TEAM = fileURLToPath(new URL("../../../../examples/review-team", import.meta.url));

/** Runs the example team on the scripted engine, in a daemon with its own home and port. */
export const demo = defineCommand({
  about: "Shows a reviewer, a coder and a scribe handle a small change. Needs no key and leaves nothing behind.",
  options: { keep: { about: "Keep the folder with the team, its documents and its database" } },
  examples: ["agent-worker demo", "agent-worker demo --keep"],

  async run({ options, terminal, json }) {
    const paint = paintFor(terminal);
    const folder = await realpath(await mkdtemp(join(tmpdir(), "agent-worker-demo-")));
    const project = join(folder, "review-team");
    using interrupted = interruption();
    try {
      await cp(TEAM, project, { recursive: true });
      await using daemon = await openDaemon({
        home: join(folder, "home"),
        projectDir: project,
        env: terminal.env,
        trustsAll: true,
      });
      using client = await createClient({ url: daemon.url, token: daemon.token, project });
      if (!json) {
        terminal.print(`${paint.bold("A reviewer, a coder and a scribe look at a small change.")}\n`);
        terminal.print(
          paint.dim(`They run on the scripted engine in ${project}, through a daemon at ${daemon.url}.\n\n`),
        );
      }
      const show = showRunEvents(terminal, { json, verbose: false, summaries: true });
      const showUnlessDone = (event: RunEvent): void => void (event.type === "done" || show(event));
      const watched = await watchRequest(client, { workflow: "review" }, showUnlessDone, interrupted.signal);
      if (watched.kind === "refused") throw refusedBy(watched.error);
      if (watched.kind === "interrupted") return EXIT.interrupted;
      const { result } = watched;
      const { messages, runs, documents } = await countWork(client, result.space);
      if (json) terminal.print(`${JSON.stringify({ ...result, messages, runs, documents })}\n`);
      else {
        const counts = `${countOf(messages, "message")}, ${countOf(runs, "run")}`;
        terminal.print(`\n${paint.bold("Done.")} ${counts}, documents: ${documents.join(", ")}.\n`);
        terminal.print(
          options.keep
            ? `Kept in ${project}. Go on with: agent-worker peek @review --project ${project}\n`
            : paint.dim(
                "Nothing is left behind; --keep keeps the folder. Your own team begins with: agent-worker init\n",
              ),
        );
      }
      return reportResult(terminal, result, json);
    } finally {
      if (options.keep) await trustKept(terminal.env, project);
      await rm(options.keep ? join(folder, "home") : folder, { recursive: true, force: true });
    }
  },
});

/** The kept team can be used on without a question. */
async function trustKept(env: Terminal["env"], project: string): Promise<void> {
  const home = homeFolder(env);
  prepareHome(home);
  const { trustNewProject } = await import("../../../daemon/trust/accept.ts");
  await trustNewProject(home, project, { withStore: true });
}

async function countWork(client: Client, target: string) {
  const channel = await client.call("peek-channel", { target, limit: 500 });
  const usage = await client.call("show-usage", { target });
  const listed = await client.call("list-documents", { target });
  if (!channel.ok) throw new Refused(channel.error);
  if (!usage.ok) throw new Refused(usage.error);
  if (!listed.ok) throw new Refused(listed.error);
  return {
    messages: channel.value.messages.length,
    runs: usage.value.total.runs,
    documents: listed.value.documents.map(({ file }) => file),
  };
}
