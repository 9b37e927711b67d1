import { execFile } from "node:child_process";
import { chmodSync, cpSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { runInstalled } from "../support/daemon/installed-command.ts";
import { documentBlocks, type Block } from "../support/document-blocks.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const repository = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** Every page with something to try out, but MCP: its commands are those of other programs (see test/clis-real). */
const PAGES = [
  "README.md",
  ...pages("docs/*.md"),
  ...pages("docs/guides/*.md"),
  ...pages("examples/*/README.md"),
].filter(
  (page) => page !== "docs/guides/mcp.md" && documentBlocks(page).some(({ kind }) => kind === "sh" || kind === "yaml"),
);
/** The guides take long; the campaign `documents` tries them out too. */
const TRIED_OUT = PAGES.filter((page) => process.env["CAMPAIGN"] === "1" || !page.startsWith("docs/"));
/** The others share one daemon, as they would on one machine. */
const STOPS_THE_DAEMON = ["README.md", "docs/guides/operations.md"];
/** Each is a good many processes, one after the other. */
const PATIENCE_MS = 180_000;

const folder = temporaryFolder();
const bin = folder.in("bin");
mkdirSync(bin);
const command = `"${process.execPath}" "${join(repository, "bin/agent-worker.js")}"`;
// Nobody sits at this terminal: the chat writes plain lines, and ends with its input.
program("agent-worker", `[ "$1" = chat ] && exec ${command} "$@" --plain </dev/null\nexec ${command} "$@"`);
program("npx", 'exec "$@"');
const surroundings = (home: string) => ({
  PATH: `${bin}:${process.env["PATH"]}`,
  // The reader sits at a terminal and says yes to what the pages show.
  AGENT_WORKER_TRUST: "1",
  HOME: home,
  AGENT_WORKER_PORT: "0",
});
const shared = surroundings(made("shared-home"));

afterAll(async () => {
  await runInstalled(["daemon", "stop"], { cwd: folder.path, env: shared });
  folder[Symbol.dispose]();
});

describe("the page", () => {
  it("is among those that are tried out", () => {
    expect(PAGES).toEqual(expect.arrayContaining(["README.md", "docs/migration.md", "docs/guides/cli.md"]));
    expect(PAGES.length).toBeGreaterThan(10);
  });

  it.concurrent.each(TRIED_OUT)(
    "[docs.examples-run] %s shows only what works, in the order it shows it",
    tryOut,
    PATIENCE_MS,
  );

  it("[docs.examples-run] asks nothing at a terminal that it does not show: its init says which team", () => {
    const lines = PAGES.flatMap((page) => documentBlocks(page).filter(({ kind }) => kind === "sh"))
      .flatMap(({ text }) => text.split("\n"))
      .filter((line) => /^agent-worker init\b/.test(line));
    expect(lines).not.toEqual([]);
    expect(lines.filter((line) => !/--yes/.test(line) && !(/--team/.test(line) && /--backend/.test(line)))).toEqual([]);
  });

  it("[docs.examples-run] that shows JSON shows valid JSON", () => {
    const shown = pages("docs/**/*.md")
      .flatMap(documentBlocks)
      .filter(({ kind }) => kind === "json");
    expect(shown).not.toEqual([]);
    for (const { text } of shown) JSON.parse(text);
  });
});

async function tryOut(page: string): Promise<void> {
  const name = page.replaceAll(/\W/g, "-");
  const own = STOPS_THE_DAEMON.includes(page);
  const env = own ? surroundings(made(`${name}-home`)) : shared;
  let cwd = made(name);
  if (page.startsWith("examples/"))
    cpSync(join(repository, dirname(page)), join(cwd, dirname(page)), { recursive: true });
  try {
    for (const block of documentBlocks(page)) {
      if (block.kind === "yaml" || (block.kind === "ts" && block.file !== undefined)) writeDefinition(cwd, block);
      // What npm does is npm's business; the demo it starts has a test of its own.
      if (block.kind !== "sh" || block.text.startsWith("npm ")) continue;
      const { stdout } = await run("bash", ["--norc", "-euo", "pipefail", "-c", `${block.text}\necho "at:$PWD"`], {
        cwd,
        env,
      });
      cwd = stdout.slice(stdout.lastIndexOf("at:") + 3).trim();
    }
    const project = page.startsWith("examples/") ? join(cwd, dirname(page)) : cwd;
    expect(await runInstalled(["check"], { cwd: project, env })).toMatchObject({ exit: 0, err: "" });
  } finally {
    if (own) await runInstalled(["daemon", "stop"], { cwd, env });
  }
}

/** A block that names no file is part of an agent. */
function writeDefinition(project: string, { file, text }: Block): void {
  const path = join(project, file ?? ".agents/part.yaml");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, file === undefined ? `prompt: { system: Help. }\n${text}` : text);
}

function pages(pattern: string): string[] {
  return globSync(pattern, { cwd: repository }).toSorted();
}

function program(name: string, text: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, name), 0o755);
}

function made(name: string): string {
  mkdirSync(folder.in(name));
  return folder.in(name);
}
