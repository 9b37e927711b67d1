import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { runInstalled } from "../support/installed-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const repository = join(import.meta.dirname, "../..");
const GUIDES = ["cli", "agents", "workflows", "http", "security", "operations"];
const run = promisify(execFile);

interface Block {
  readonly kind: string;
  readonly text: string;
}

function blocksOf(guide: string): Block[] {
  const text = readFileSync(join(repository, "docs/guides", `${guide}.md`), "utf8");
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, kind = "", body = ""]) => ({ kind, text: body }));
}

/** Each is a good many processes, one after the other. */
const PATIENCE_MS = 120_000;

describe("the guide", () => {
  it.each(GUIDES)(
    "[docs.examples-run] %s shows only what works, in the order it shows it",
    { timeout: PATIENCE_MS },
    async (guide) => {
      using folder = temporaryFolder();
      const project = folder.in("project");
      const bin = folder.in("bin");
      mkdirSync(project);
      mkdirSync(bin);
      const command = join(repository, "bin/agent-worker.js");
      writeFileSync(join(bin, "agent-worker"), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
      chmodSync(join(bin, "agent-worker"), 0o755);
      const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: folder.path, AGENT_WORKER_PORT: "0" };
      const blocks = blocksOf(guide);
      expect(blocks.filter(({ kind }) => kind === "sh")).not.toEqual([]);
      try {
        for (const { kind, text } of blocks) {
          if (kind === "yaml") {
            const path = /^# (\S+\.yaml)\n/.exec(text)?.[1] ?? "";
            expect(path, text).not.toBe("");
            mkdirSync(dirname(join(project, path)), { recursive: true });
            writeFileSync(join(project, path), text);
          }
          if (kind === "sh") await run("bash", ["--norc", "-euo", "pipefail", "-c", text], { cwd: project, env });
        }
        expect(await runInstalled(["check"], { cwd: project, env })).toMatchObject({ exit: 0, err: "" });
      } finally {
        await runInstalled(["daemon", "stop"], { cwd: project, env });
      }
    },
  );
});
