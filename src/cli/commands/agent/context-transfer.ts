import { resolve } from "node:path";
import type { ContextReport, ContextRequest } from "../../../daemon/context/stored-contexts.ts";
import type { Refusal } from "../../../kernel/refusal.ts";
import type { Result } from "../../../kernel/result.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";
import { Refused } from "../../refused.ts";

const OVERWRITE = { about: "Replace what is there and differs" } as const;

/** Personal contexts and documents that are in the store, as files and back: see `context` in the project file. */
export const exportContext = defineCommand({
  about: [
    "Writes memory, notes, todos, conversations and learned souls from the store of the project into files, and the",
    "documents that are in the store when no agent is named. A file that differs is not replaced without --overwrite.",
  ].join("\n"),
  words: ["[AGENT...]"],
  options: {
    to: { value: "DIR", about: "Into this folder instead of the project" },
    overwrite: OVERWRITE,
  },
  examples: ["agent-worker context export", "agent-worker context export alice --to backup"],

  async run(invocation) {
    const { exportContext: transfer } = await import("../../../daemon/context/export-context.ts");
    const { to, overwrite } = invocation.options;
    const { written, same } = await transferred(invocation, { folder: to, overwrite }, transfer);
    return invocation.print(
      { written, same },
      `Wrote ${countOf(written, "file")}; ${same} had the same text already.\n`,
    );
  },
});

export const importContext = defineCommand({
  about: [
    "Brings memory, notes, todos, conversations and learned souls from files into the store of the project, and documents",
    "of its workspaces when no agent is named. What differs in the store is not replaced without --overwrite. The files",
    "stay, and are not used any more.",
  ].join("\n"),
  words: ["[AGENT...]"],
  options: {
    from: { value: "DIR", about: "From this folder instead of the project" },
    overwrite: OVERWRITE,
  },
  examples: ["agent-worker context import", "agent-worker context import alice --from backup"],

  async run(invocation) {
    const { importContext: transfer } = await import("../../../daemon/context/import-context.ts");
    const { from, overwrite } = invocation.options;
    const { written, same } = await transferred(invocation, { folder: from, overwrite }, transfer);
    return invocation.print(
      { written, same },
      `Brought ${countOf(written, "file")} into the store; ${same} had the same text already.\n`,
    );
  },
});

async function transferred(
  { words, terminal, projectDir, trust }: Pick<Invocation, "words" | "terminal" | "projectDir" | "trust">,
  { folder, overwrite }: { readonly folder: string | undefined; readonly overwrite: boolean },
  transfer: (request: ContextRequest) => Promise<Result<ContextReport, Refusal>>,
): Promise<ContextReport> {
  if ((terminal.env["AGENT_WORKER_TOKEN"] ?? "") !== "") {
    throw new Refused({
      code: "forbidden",
      message: "Only a person moves personal contexts.",
      hint: "Ask the person.",
    });
  }
  const dir = projectDir();
  const done = await transfer({
    projectDir: dir,
    folder: folder === undefined ? dir : resolve(folder),
    agents: words,
    overwrite,
    env: terminal.env,
    trust,
    onProgress: terminal.progress,
  });
  if (!done.ok) throw new Refused(done.error);
  return done.value;
}
