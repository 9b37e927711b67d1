import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pathPrivacy } from "../../../src/domain/agent/private-paths.ts";
import { createGitWorktrees } from "../../../src/engines/git/git-worktrees.ts";
import { createReadOnlyGit } from "../../../src/engines/git/read-only-git.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { makeRepository } from "../../support/repository/git-repository.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { value } from "../../support/result.ts";

const HOOKS =
  "post-checkout post-merge pre-commit commit-msg post-commit reference-transaction post-index-change pre-merge-commit prepare-commit-msg fsmonitor-watchman post-rewrite update".split(
    " ",
  );

/** Makes every program that a repository can name write into one file. */
function arm(folder: string): string {
  const proof = join(folder, "..", "started.txt");
  const program = join(folder, ".git", "program.sh");
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> "${proof}"\ncat\n`);
  chmodSync(program, 0o755);
  for (const hook of HOOKS) {
    writeFileSync(join(folder, ".git/hooks", hook), `#!/bin/sh\necho "hook ${hook}" >> "${proof}"\n`);
    chmodSync(join(folder, ".git/hooks", hook), 0o755);
  }
  const settings = [
    ["core.fsmonitor", program],
    ["core.pager", program],
    ["core.editor", program],
    ["core.sshCommand", program],
    ["core.alternateRefsCommand", program],
    ["diff.external", program],
    ["gpg.program", program],
    ["log.showSignature", "true"],
    ["commit.gpgSign", "true"],
    ["merge.verifySignatures", "true"],
    ["interactive.diffFilter", program],
    ["credential.helper", `!${program}`],
    ...["bad", "a=b", "odd name.x"].flatMap((name) => [
      [`filter.${name}.clean`, program],
      [`filter.${name}.smudge`, program],
      [`filter.${name}.process`, program],
      [`filter.${name}.required`, "true"],
      [`merge.${name}.driver`, `${program} %A`],
      [`diff.${name}.textconv`, program],
      [`diff.${name}.command`, program],
    ]),
  ];
  // Written, not set with git: git would start the monitor.
  const written = settings.map(([name = "", setting]) => {
    const [section = "", ...rest] = name.split(".");
    const key = rest.pop();
    const middle = rest.length === 0 ? "" : ` "${rest.join(".")}"`;
    return `[${section}${middle}]\n\t${key} = ${JSON.stringify(setting)}\n`;
  });
  const config = join(folder, ".git/config");
  writeFileSync(config, `${readFileSync(config, "utf8")}${written.join("")}`);
  mkdirSync(join(folder, ".git/info"), { recursive: true });
  writeFileSync(join(folder, ".git/info/attributes"), "*.txt diff=bad merge=bad\n");
  return proof;
}

describe("a repository that names programs", () => {
  it("[repository.no-programs] has none of them started by a worktree, a commit, a diff, an apply, a discard, or git of the virtual shell", async () => {
    using outer = temporaryFolder();
    const folder = outer.in("project");
    mkdirSync(join(folder, "src"), { recursive: true });
    writeFileSync(join(folder, "src/a.txt"), "one\ntwo\nthree\nfour\nfive\nsix\n");
    writeFileSync(join(folder, "src/b.md"), "b\n");
    writeFileSync(join(folder, ".gitattributes"), "*.md diff=bad merge=bad\nc.md filter=bad\n");
    const git = makeRepository(folder);
    const proof = arm(folder);
    const worktrees = createGitWorktrees({ clock: systemClock, projectDir: folder, env: process.env });
    const place = { agent: "ann", workspace: { workflow: "fix", tag: "main" } };
    {
      using open = await worktrees.open(place, { of: "agent" }, "ann");
      writeFileSync(join(open.dir, "src/a.txt"), "ONE\ntwo\nthree\nfour\nfive\nsix\n");
      writeFileSync(join(open.dir, "c.md"), "c\n");
      expect(await open.commit({ agent: "ann", title: "Changed", run: "run_1" })).toMatch(/^\w{40}$/);
      // A nested repository with settings of its own is not looked into.
      mkdirSync(join(open.dir, "nested/.git"), { recursive: true });
      writeFileSync(join(open.dir, "nested/.git/HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(open.dir, "nested/.git/config"), readFileSync(join(folder, ".git/config")));
      // The file that says where the repository is does not lead git elsewhere.
      writeFileSync(join(open.dir, ".git"), `gitdir: ${join(open.dir, "nested/.git")}\n`);
      writeFileSync(join(open.dir, "src/b.md"), "B\n");
      expect(await open.commit({ agent: "ann", title: "Changed again", run: "run_2" })).toMatch(/^\w{40}$/);
    }
    expect(await worktrees.list()).toMatchObject([{ commits: 2, stat: { files: 3 } }]);
    expect(value(await worktrees.diff(place)).diff).toContain("+ONE");
    value(await worktrees.changes({}));
    value(await worktrees.changes({ branch: "agent-worker/fix/main/ann", base: "main" }));

    const shell = createReadOnlyGit({ clock: systemClock, env: process.env, projectDir: folder });
    const at = { folder: ".", privacy: pathPrivacy({ own: null, others: [] }) };
    for (const command of [
      "diff HEAD agent-worker/fix/main/ann",
      "log -p",
      "show HEAD",
      "show HEAD:src/a.txt",
      "status",
      "blame src/a.txt",
    ]) {
      expect(await shell(command.split(" "), at), command).toMatchObject({ exitCode: 0 });
    }

    // A filter would be needed to write c.md: it is refused, not run.
    const refused = await worktrees.apply(place, { leaveConflicts: false, withProtected: false });
    expect(refused).toMatchObject({ ok: false, error: { code: "conflict" } });
    expect(JSON.stringify(refused)).toContain('filter \\"bad\\"');
    writeFileSync(join(folder, ".gitattributes"), "*.md diff=bad merge=bad\n");
    writeFileSync(join(folder, "src/a.txt"), "one\ntwo\nthree\nfour\nfive\nSIX\n");
    // As the person, without the planted settings.
    const config = readFileSync(join(folder, ".git/config"), "utf8");
    writeFileSync(join(folder, ".git/config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
    git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "mine");
    writeFileSync(join(folder, ".git/config"), config);
    const applied = value(await worktrees.apply(place, { leaveConflicts: false, withProtected: false }));
    expect(applied).toMatchObject({ kind: "applied" });
    // Both sides changed the file: it was merged as text, not by the driver.
    expect(readFileSync(join(folder, "src/a.txt"), "utf8")).toBe("ONE\ntwo\nthree\nfour\nfive\nSIX\n");
    value(await worktrees.discard(place));
    expect(existsSync(proof) ? readFileSync(proof, "utf8") : "").toBe("");
    // The programs are there: plain git starts them.
    git("update-ref", "refs/heads/proof", "HEAD");
    git("diff", "HEAD~1", "HEAD");
    expect(readFileSync(proof, "utf8")).toMatch(/reference-transaction[^]*program\.sh/);
  });

  it("[repository.protected] keeps files that only people write, unless a person says so", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.in("a.txt"), "a\n");
    makeRepository(folder.path);
    const worktrees = createGitWorktrees({ clock: systemClock, projectDir: folder.path, env: process.env });
    const place = { agent: "ann", workspace: null };
    {
      using open = await worktrees.open(place, { of: "agent" }, "ann");
      mkdirSync(join(open.dir, ".github/workflows"), { recursive: true });
      writeFileSync(join(open.dir, ".github/workflows/ci.yaml"), "on: push\n");
      await open.commit({ agent: "ann", title: "CI", run: "run_1" });
    }
    const refused = await worktrees.apply(place, { leaveConflicts: false, withProtected: false });
    expect(refused).toMatchObject({ ok: false, error: { details: { protected: [".github/workflows/ci.yaml"] } } });
    expect(existsSync(folder.in(".github"))).toBe(false);
    value(await worktrees.apply(place, { leaveConflicts: false, withProtected: true }));
    expect(existsSync(folder.in(".github/workflows/ci.yaml"))).toBe(true);
  });
});
