import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { SkillSource } from "./skill-source.ts";
import { MAX_SOURCE_ENTRIES, type SourceEntry, type SourceTree } from "./source-tree.ts";

/**
 * A commit of a Git repository, fetched without its history into a temporary bare repository. Nothing is checked out, so
 * no hook, filter, attribute, link or submodule takes effect. Git never prompts for a password and uses https, ssh and
 * file only.
 */
type GitSource = Extract<SkillSource, { readonly kind: "git" }>;

const PASSED_ON = [
  "PATH",
  "HOME",
  "USER",
  "SSH_AUTH_SOCK",
  "HTTPS_PROXY",
  "https_proxy",
  "NO_PROXY",
  "no_proxy",
  "TMPDIR",
];
const TIMEOUT_MS = 120_000;
const MAX_LISTING_BYTES = 8 * 1024 * 1024;

export async function openGitTree(
  source: GitSource,
  clock: Clock,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<SourceTree, Refusal>> {
  const folder = await mkdtemp(join(tmpdir(), "agent-worker-skill-"));
  const close = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  const git = (args: readonly string[], limit: number, input = ""): Promise<Result<Buffer, Refusal>> =>
    runGit(["--git-dir", folder, "-c", "core.hooksPath=/dev/null", ...args], { clock, environment, limit, input });

  const opened = await (async (): Promise<Result<SourceTree, Refusal>> => {
    const made = await git(["init", "--quiet", "--bare", "--template="], 1024);
    if (!made.ok) return made;
    const options = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
    const target = "refs/skill/fetched";
    const fetched = await git(["fetch", ...options, "--", source.url, `${source.ref ?? "HEAD"}:${target}`], 1024);
    if (!fetched.ok) return fetched;
    const commit = await git(["rev-parse", "--verify", "--quiet", `${target}^{commit}`], 1024);
    if (!commit.ok) return commit;
    const tree = source.path === "" ? `${target}^{commit}` : `${target}^{commit}:${source.path}`;
    const listing = await git(["ls-tree", "-r", "-l", "-z", "--full-tree", tree], MAX_LISTING_BYTES);
    if (!listing.ok) {
      return refuse("not_found", `${source.url} has no folder "${source.path}".`, {
        hint: "Check the path and the ref.",
      });
    }
    const at = source.path === "" ? "" : ` ${source.path}`;
    return ok({
      name: source.path === "" ? source.name : (source.path.split("/").at(-1) ?? source.name),
      origin: `${source.url}${at} ${commit.value.toString().trim()}`,
      entries: parseListing(listing.value.toString()),
      read: async (entries) => {
        const limit = entries.reduce((sum, { bytes }) => sum + bytes + 200, 0);
        const read = await git(["cat-file", "--batch"], limit, entries.map(({ id }) => `${id}\n`).join(""));
        return read.ok ? ok(parseBatch(read.value, entries)) : read;
      },
      [Symbol.asyncDispose]: close,
    });
  })().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  if (!opened.ok) await close();
  return opened;
}

/** `mode type id size\tpath`, each ended by a zero byte. */
function parseListing(text: string): readonly SourceEntry[] {
  return text
    .split("\0")
    .slice(0, MAX_SOURCE_ENTRIES)
    .flatMap((line) => {
      const [, mode = "", id = "", bytes = "0", path = ""] = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
      if (path === "") return [];
      const kind = mode === "100644" || mode === "100755" ? "file" : "other";
      return [{ path, kind, bytes: Number(bytes) || 0, executable: mode === "100755", id }] as const;
    });
}

/** `id type size\n`, the bytes and a line break, for each requested object. */
function parseBatch(output: Buffer, entries: readonly SourceEntry[]): readonly Uint8Array[] {
  let at = 0;
  return entries.map(({ bytes }) => {
    const start = output.indexOf(0x0a, at) + 1;
    at = start + bytes + 1;
    return output.subarray(start, start + bytes);
  });
}

interface GitRun {
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Maximum bytes of output; more is refused. */
  readonly limit: number;
  readonly input: string;
}

async function runGit(
  args: readonly string[],
  { clock, environment, limit, input }: GitRun,
): Promise<Result<Buffer, Refusal>> {
  const env: Record<string, string> = {
    ...Object.fromEntries(
      PASSED_ON.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
    ),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "https:ssh:file",
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
  };
  const child = spawn("git", args, { env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const chunks: Buffer[] = [];
  let [size, errors] = [0, ""];
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) kill();
    else chunks.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => void (errors = (errors + chunk.toString()).slice(-2_000)));
  child.stdin.on("error", () => {});
  child.stdin.end(input);

  const settled = new AbortController();
  let timedOut = false;
  clock.sleep(TIMEOUT_MS, settled.signal).then(
    () => {
      timedOut = true;
      kill();
    },
    () => {},
  );
  const code = await new Promise<number | Error | null>((done) => {
    child.once("error", done);
    child.once("close", done);
  });
  settled.abort();
  if (code === 0) return ok(Buffer.concat(chunks));
  if (code instanceof Error) {
    return refuse("unavailable", "Git could not be started.", { hint: "Install git, or import from a folder." });
  }
  if (size > limit) return refuse("too_large", "The repository is larger than what is imported.");
  const reason = timedOut ? "it took too long." : reasonIn(errors);
  return refuse("unavailable", `Git failed: ${reason}`, {
    hint: "Check the address and the ref, and that you may read it.",
  });
}

/** Git says first what is wrong, and then what may be the cause. */
function reasonIn(errors: string): string {
  const lines = errors.trim().split("\n");
  return (lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines.at(-1) ?? "").replace(/^(?:fatal|error): /, "");
}
