import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client } from "../../../client/client.ts";
import { createClient } from "../../../client/create-client.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { openDaemon } from "../../../daemon/daemon.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";
import { interruption } from "../../interruption.ts";
import { paintFor } from "../../output/paint.ts";
import { refusedBy, Refused } from "../../output/refused.ts";
import { reportResult } from "../../output/report-result.ts";
import { showRunEvents } from "../../output/transcript.ts";
import { showRequest } from "../../follow/watch-request.ts";

const TEAM = fileURLToPath(new URL("../../../../examples/review-team", import.meta.url));

/** Plays the example team on the scripted engine, in a daemon of its own that nobody else sees: a home and a port apart. */
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
      await using daemon = await openDaemon({ home: join(folder, "home"), projectDir: project, env: terminal.env });
      using client = await createClient({ url: daemon.url, token: daemon.token, project });
      if (!json) {
        terminal.print(`${paint.bold("A reviewer, a coder and a scribe look at a small change.")}\n`);
        terminal.print(
          paint.dim(`They run on the scripted engine in ${project}, through a daemon at ${daemon.url}.\n\n`),
        );
      }
      const show = showRunEvents(terminal, { json, verbose: false });
      const workRequest = { workflow: "review" };
      const watched = await showRequest(
        client,
        workRequest,
        (event) => event.type === "done" || show(event),
        interrupted.signal,
      );
      if (watched.kind === "refused") throw refusedBy(watched.error);
      if (watched.kind === "left") return EXIT.interrupted;
      const { end } = watched;
      const { messages, runs, documents } = await summary(client, end.space);
      if (json) terminal.print(`${JSON.stringify({ ...end, messages, runs, documents })}\n`);
      else {
        const [said, done] = [countOf(messages, "message"), countOf(runs, "run")];
        terminal.print(`\n${paint.bold("Done.")} ${said}, ${done}, documents: ${documents.join(", ")}.\n`);
        terminal.print(
          options.keep
            ? `Kept in ${project}. Go on with: agent-worker peek @review --project ${project}\n`
            : paint.dim(
                "Nothing is left behind; --keep keeps the folder. Your own team begins with: agent-worker init\n",
              ),
        );
      }
      return reportResult(terminal, end, json);
    } finally {
      await rm(options.keep ? join(folder, "home") : folder, { recursive: true, force: true });
    }
  },
});

async function summary(client: Client, target: string) {
  const said = await client.call("peek-channel", { target, limit: 500 });
  const used = await client.call("show-usage", { target });
  const written = await client.call("list-documents", { target });
  for (const answer of [said, used, written]) if (!answer.ok) throw new Refused(answer.error);
  return {
    messages: said.ok ? said.value.messages.length : 0,
    runs: used.ok ? used.value.total.runs : 0,
    documents: written.ok ? written.value.documents.map(({ file }) => file) : [],
  };
}
