import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EXIT } from "../../contract/errors.ts";
import { openLiveProject } from "../../daemon/live-project.ts";
import { localOptions } from "../../daemon/local-options.ts";
import type { Command } from "../command.ts";
import { interruption } from "../interruption.ts";
import { paintFor } from "../paint.ts";
import { reportRefusal } from "../refusal-text.ts";
import { exitCodeOf, runWorkflow } from "../run-workflow.ts";
import { showing } from "../transcript.ts";

const TEAM = fileURLToPath(new URL("../../../examples/review-team", import.meta.url));

/** Plays the example team on the scripted engine: the real store, the real loops, nothing left behind. */
export const demo: Command = {
  name: "demo",
  summary: "Watch a reviewer, a coder and a scribe handle a small change. Needs no key and leaves nothing behind.",
  usage: "demo [--keep] [--json]",
  example: "agent-worker demo",

  async run(args, terminal) {
    const { values } = parseArgs({
      args: [...args],
      options: { keep: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
    });
    const paint = paintFor(terminal.out, terminal.env);
    const folder = await mkdtemp(join(tmpdir(), "agent-worker-demo-"));
    using interrupted = interruption();
    try {
      await cp(TEAM, folder, { recursive: true });
      await using project = await openLiveProject(localOptions(folder));
      if (!values.json) terminal.out.write(paint.dim(`A team of three in ${folder}, on the scripted engine.\n\n`));
      const request = { workflow: "review", tag: "main", params: [] };
      const ended = await runWorkflow(project, request, showing(terminal, values.json), interrupted.signal);
      if (!ended.ok) return reportRefusal(terminal, ended.error, values.json);

      const { messages, runs, documents } = await summary(project, ended.value.space);
      if (values.json)
        terminal.out.write(`${JSON.stringify({ type: "done", ...ended.value, messages, runs, documents })}\n`);
      else {
        terminal.out.write(
          `\n${paint.bold("Done.")} ${messages} messages, ${runs} runs, documents: ${documents.join(", ")}.\n`,
        );
        terminal.out.write(
          values.keep
            ? `Kept in ${folder}\n`
            : paint.dim("Nothing is left behind; --keep keeps the folder. Your own team: see the README.\n"),
        );
      }
      return exitCodeOf(ended.value);
    } catch (error) {
      if (!interrupted.signal.aborted) throw error;
      return EXIT.interrupted;
    } finally {
      if (!values.keep) await rm(folder, { recursive: true, force: true });
    }
  },
};

async function summary(project: Awaited<ReturnType<typeof openLiveProject>>, space: string) {
  const { messages, runs } = await project.readIn(space, async (store) => ({
    messages: (await store.messages.page({ space, limit: 500 })).length,
    runs: (await store.events.after(0, 10_000)).filter((event) => event.type === "run.ended" && event.space === space)
      .length,
  }));
  const workspace = await project.readIn(space, (store) => store.workspaces.byKey(space));
  const folder = workspace === undefined ? undefined : project.facilities.documents(workspace);
  const documents = folder?.ok === true ? (await folder.value.list()).map(({ file }) => file) : [];
  return { messages, runs, documents };
}
