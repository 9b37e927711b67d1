import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runInstalled } from "../../support/daemon/installed-command.ts";
import { attack } from "../../support/security/attack.ts";
import { isRoot, runWithUmask, STRANGER } from "../../support/security/private-files.ts";
import { repository } from "../../support/team/planted-project.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A copy of the checkout, bundled under umask 000: what is planted in it is run by nobody else. */
const folder = temporaryFolder();
const COMMAND = folder.in("bin/agent-worker.js");
const CACHE = folder.in("node_modules/.cache/agent-worker");
const MARK = folder.in("the planted code ran");
const asUser = { cwd: folder.path, env: { HOME: folder.path }, command: COMMAND };
const help = () => runInstalled(["ls", "--help"], asUser);

beforeAll(() => {
  for (const name of ["bin", "src", "package.json", "tsconfig.json"]) {
    cpSync(join(repository, name), folder.in(name), { recursive: true, preserveTimestamps: true });
  }
  mkdirSync(folder.in("node_modules"));
  for (const name of readdirSync(join(repository, "node_modules"))) {
    if (name !== ".cache") symlinkSync(join(repository, "node_modules", name), folder.in(`node_modules/${name}`));
  }
  const bundle = 'umask 000; exec "$0" bin/quick/bundle-commands.mts';
  execFileSync("sh", ["-c", bundle, process.execPath], { cwd: folder.path });
}, 120_000);
afterAll(() => folder[Symbol.dispose]());
beforeEach(() => rmSync(MARK, { force: true }));

function programOf(bundle: string): string {
  const { program } = JSON.parse(readFileSync(join(CACHE, bundle, "bundle.json"), "utf8")) as { program: string };
  return join(CACHE, bundle, program);
}

const codeCache = (): string => `${programOf("commands")}.ls-${process.version}-${process.arch}`;

/** A code cache that V8 takes for that of the program, because the texts have the same length. */
function hostileCode(): Buffer {
  const { length } = readFileSync(programOf("commands"), "utf8");
  const body = `require("fs").writeFileSync(${JSON.stringify(MARK)}, "");process.exit(0)`;
  const source = `(function (module, exports, require, __filename) {${body}})`.padEnd(length);
  const make = `const vm = require("vm"), script = new vm.Script(require("fs").readFileSync(0, "utf8"), {
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
    try { script.runInThisContext()({}, {}, () => { throw new Error(); }) } catch {}
    process.stdout.write(script.createCachedData());`;
  return spawnSync(process.execPath, ["-e", make], { input: source, maxBuffer: 1 << 26 }).stdout;
}

const PLANTS: Readonly<Record<string, (code: string, at: string) => void>> = {
  "that everybody can write to": (code, at) => {
    cpSync(code, at);
    chmodSync(at, 0o666);
  },
  "that a group can write to": (code, at) => {
    cpSync(code, at);
    chmodSync(at, 0o620);
  },
  "as a symbolic link": (code, at) => symlinkSync(code, at),
  "as a hard link": (code, at) => linkSync(code, at),
  ...(isRoot
    ? {
        "of another user": (code: string, at: string) => {
          cpSync(code, at);
          chownSync(at, STRANGER, STRANGER);
        },
      }
    : {}),
};

describe("somebody who plants code in the caches of the program", () => {
  attack("reaches the caches because they were written under umask 000 [cache.ours]", async () => {
    rmSync(codeCache(), { force: true });
    rmSync(join(CACHE, "compiled"), { recursive: true, force: true });
    for (const args of [
      ["ls", "--help"],
      ["check", "--help"],
    ]) {
      expect(await runWithUmask("000", args, asUser)).toMatchObject({ exit: 0 });
    }
    expect(statSync(codeCache()).mode & 0o777).toBe(0o600);
    expect(statSync(join(CACHE, "compiled")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(CACHE, "compiled"))).not.toEqual([]);
    const paths = [CACHE, ...["commands", "daemon"].flatMap((name) => [join(CACHE, name), programOf(name)])];
    for (const path of paths) expect(statSync(path).mode & 0o022, path).toBe(0);
  });

  it("would have it run: a file that only the user can write to is trusted, so the rows below can fail", async () => {
    writeFileSync(codeCache(), hostileCode(), { mode: 0o600 });
    chmodSync(codeCache(), 0o600);
    await help();
    expect(existsSync(MARK)).toBe(true);
    rmSync(codeCache());
  });

  for (const [kind, plant] of Object.entries(PLANTS)) {
    attack(`plants a code cache ${kind} [cache.ours]`, async () => {
      const code = folder.in("hostile-code");
      rmSync(code, { force: true });
      writeFileSync(code, hostileCode(), { mode: 0o600 });
      rmSync(codeCache(), { force: true });
      plant(code, codeCache());
      expect(await help()).toMatchObject({ exit: 0, out: expect.stringContaining("Usage") });
      expect(existsSync(MARK)).toBe(false);
      // It is replaced by the user's own.
      expect(lstatSync(codeCache())).toMatchObject({ nlink: 1, uid: process.getuid?.() });
      expect(lstatSync(codeCache()).mode & 0o777).toBe(0o600);
      expect(readFileSync(code).equals(readFileSync(codeCache()))).toBe(false);
    });
  }

  attack("puts compiled code into a folder that everybody can write to [cache.ours]", async () => {
    const compiled = join(CACHE, "compiled");
    mkdirSync(join(compiled, "planted"), { recursive: true });
    chmodSync(compiled, 0o777);
    expect(await runInstalled(["check", "--help"], asUser)).toMatchObject({ exit: 0 });
    expect(existsSync(join(compiled, "planted"))).toBe(false);
    expect(statSync(compiled).mode & 0o777).toBe(0o700);
  });

  attack("makes the folder of compiled code a link [cache.ours]", async () => {
    const compiled = join(CACHE, "compiled");
    const elsewhere = folder.in("elsewhere");
    mkdirSync(elsewhere);
    rmSync(compiled, { recursive: true, force: true });
    symlinkSync(elsewhere, compiled);
    expect(await runInstalled(["check", "--help"], asUser)).toMatchObject({ exit: 0 });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(lstatSync(compiled).isSymbolicLink()).toBe(false);
  });

  attack("changes a bundle that everybody can write to [cache.ours]", async () => {
    const program = programOf("commands");
    const whole = readFileSync(program);
    writeFileSync(program, `(function () { require("fs").writeFileSync(${JSON.stringify(MARK)}, ""); })`);
    chmodSync(program, 0o666);
    try {
      expect(await help()).toMatchObject({ exit: 0, out: expect.stringContaining("Usage") });
      expect(existsSync(MARK)).toBe(false);
    } finally {
      writeFileSync(program, whole);
      chmodSync(program, 0o644);
    }
  });
});
