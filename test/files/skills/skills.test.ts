import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSkillTools } from "../../../src/engines/tools/skill-tools.ts";
import { importSkill, type ImportOptions } from "../../../src/files/skills/import-skill.ts";
import { skillDescription } from "../../../src/files/skills/skill-file.ts";
import { createSkills } from "../../../src/files/skills/skill-folders.ts";
import { parseSkillSource } from "../../../src/files/skills/skill-source.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { refused, value } from "../../support/result.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

const SKILL = "---\nname: review\ndescription: How we review.\n---\n\nLook twice.\n";

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

describe("skills on the disk", () => {
  it("are listed by name, those of the project before those of the home folder", async () => {
    using home = temporaryFolder();
    using project = temporaryFolder();
    write(project.path, {
      ".agents/skills/review/SKILL.md": SKILL,
      ".agents/skills/broken/readme.md": "no skill",
      ".agents/skills/.hidden/SKILL.md": SKILL,
      ".agents/skills/file": "not a folder",
    });
    write(home.path, {
      ".agents/skills/review/SKILL.md": "---\ndescription: Another one.\n---\n",
      ".agents/skills/deploy/SKILL.md": "# Deploy\n\nShip it.\n",
    });
    symlinkSync(project.in(".agents/skills/review"), project.in(".agents/skills/linked"));
    const skills = createSkills({ projectDir: project.path, homeDir: home.path });
    expect(await skills.list()).toEqual([
      { name: "deploy", description: "Ship it.", scope: "user", source: null },
      { name: "review", description: "How we review.", scope: "project", source: null },
    ]);
    expect(await createSkills({ projectDir: home.in("none"), homeDir: home.in("none") }).list()).toEqual([]);
  });

  it("[tools.claude-skills] are also those of .claude/skills, after those of .agents/skills", async () => {
    using home = temporaryFolder();
    using project = temporaryFolder();
    write(project.path, {
      ".claude/skills/release/SKILL.md": "---\ndescription: How we release.\n---\nStep by step.",
      ".claude/skills/release/list.md": "a list",
      ".claude/skills/review/SKILL.md": "---\ndescription: Of Claude.\n---\n",
      ".agents/skills/review/SKILL.md": SKILL,
    });
    write(home.path, { ".claude/skills/travel/SKILL.md": "---\ndescription: Mine.\n---\n" });
    const skills = createSkills({ projectDir: project.path, homeDir: home.path });
    expect(await skills.list()).toEqual([
      { name: "release", description: "How we release.", scope: "project", source: null },
      { name: "review", description: "How we review.", scope: "project", source: null },
      { name: "travel", description: "Mine.", scope: "user", source: null },
    ]);
    expect(await skills.read("release")).toMatchObject({ ok: true, value: { files: ["list.md"] } });
    expect(await skills.read("release", "list.md")).toMatchObject({ ok: true, value: { content: "a list" } });
  });

  it.each([
    ["---\nname: x\ndescription: Use when: always\n---\n", "Use when: always"],
    ['---\ndescription: "quoted: yes"\nbad: [\n---\n', "quoted: yes"],
    ["---\ndescription: >\n  folded\n  text\n---\n", "folded text"],
    ["---\r\ndescription: windows\r\n---\r\nbody", "windows"],
    ["---\ndescription: 7\n---\n# Title\n\nThe body.", "7"],
    ["---\nname: x\n---\n# Title\n\nThe body.", "The body."],
    ["just text", "just text"],
    ["---\n- a\n---\n", "No description."],
    ["", "No description."],
    [`---\ndescription: ${"x".repeat(5000)}\n---\n`, `${"x".repeat(1024)}…`],
  ])("describe themselves, however they are written: %j", (text, description) => {
    expect(skillDescription(text)).toBe(description);
  });

  it("are read by a tool, file by file, and nothing outside of them is [skill.use]", async () => {
    using project = temporaryFolder();
    write(project.path, {
      ".agents/skills/review/SKILL.md": SKILL,
      ".agents/skills/review/docs/more.md": "more",
      ".agents/skills/review/.env": "secret",
      ".agents/bob.yaml": "private",
    });
    symlinkSync(project.in(".agents/bob.yaml"), project.in(".agents/skills/review/link.md"));
    const tools = await createSkillTools(createSkills({ projectDir: project.path, homeDir: project.in("home") }));
    const read = (args: unknown) => tools.call({ id: "1", tool: "skill_read", args }, new AbortController().signal);
    expect(tools.list().map(({ name }) => name)).toEqual(["skill_read"]);
    expect(await read({ name: "review" })).toEqual({
      kind: "result",
      isError: false,
      content: `${SKILL}\n\n[More files of this skill, by skill_read: docs/more.md]`,
    });
    expect(await read({ name: "review", file: "docs/more.md" })).toMatchObject({ isError: false });
    for (const file of ["../../bob.yaml", "/etc/passwd", "link.md", ".env", "docs", "nope.md", "a\0b"]) {
      const outcome = await read({ name: "review", file });
      expect(outcome, file).toMatchObject({ isError: true });
      expect(JSON.stringify(outcome), file).not.toMatch(/private|secret/);
    }
    for (const name of ["..", "../..", "reviw", "review/docs"]) {
      expect(await read({ name }), name).toMatchObject({ isError: true });
    }
    expect(await read({ name: "reviw" })).toMatchObject({ content: expect.stringContaining('Did you mean "review"?') });
  });

  it("bring no tool when there are none", async () => {
    using empty = temporaryFolder();
    expect((await createSkillTools(createSkills({ projectDir: empty.path, homeDir: empty.path }))).list()).toEqual([]);
  });
});

describe("a source of skills", () => {
  it.each([
    ["acme/skills", { url: "https://github.com/acme/skills.git", ref: null, path: "", name: "skills" }],
    [
      "acme/skills/a/review@v1.2",
      { url: "https://github.com/acme/skills.git", ref: "v1.2", path: "a/review", name: "skills" },
    ],
    ["https://example.com/x/y.git#main:a", { url: "https://example.com/x/y.git", ref: "main", path: "a", name: "y" }],
    ["https://example.com/x/y", { url: "https://example.com/x/y", ref: null, path: "", name: "y" }],
    ["git@example.com:x/y.git", { url: "git@example.com:x/y.git", ref: null, path: "", name: "y" }],
    ["ssh://git@example.com/x/y.git", { url: "ssh://git@example.com/x/y.git", ref: null, path: "", name: "y" }],
    ["file:///srv/y.git#:a/b", { url: "file:///srv/y.git", ref: null, path: "a/b", name: "y" }],
  ])("is read from %j", (text, source) => {
    expect(value(parseSkillSource(text))).toEqual({ kind: "git", ...source });
  });

  it.each(["./x", "../x", "/x", "~/x", "."])("may be the folder %j", (path) => {
    expect(value(parseSkillSource(path))).toEqual({ kind: "folder", path });
  });

  it.each([
    "",
    "acme",
    "http://example.com/x.git",
    "git://example.com/x.git",
    "ext::sh -c touch% pwned",
    "-x/y",
    "--upload-pack=touch pwned",
    "acme/skills@--upload-pack=x",
    "acme/skills@a..b",
    "acme/skills/../x",
    "https://example.com/x.git#-x",
    "https://example.com/x.git#main:../../y",
    "https://user:secret@example.com/x.git",
  ])("is not %j", (text) => {
    const refusal = refused(parseSkillSource(text));
    expect(refusal.code).toBe("invalid");
    expect(refusal.message).not.toContain("secret");
  });
});

/** A bare repository with the files in it. `tamper` may change the index before the commit. */
function repository(
  folder: TemporaryFolder,
  files: Readonly<Record<string, string>>,
  tamper: (git: (...args: string[]) => string) => void = () => {},
): string {
  const work = folder.in("work");
  const git = (...args: string[]): string =>
    execFileSync(
      "git",
      ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always", "-C", work, ...args],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
  mkdirSync(work);
  git("init", "--quiet", "--initial-branch=main");
  write(work, files);
  git("add", "--all");
  tamper(git);
  git("commit", "--quiet", "--message", "skills");
  git("tag", "v1");
  git("clone", "--quiet", "--bare", work, folder.in("skills.git"));
  return `file://${folder.in("skills.git")}`;
}

describe("an import", () => {
  const options = (project: TemporaryFolder, more: Partial<ImportOptions> = {}): ImportOptions => ({
    root: project.path,
    scope: "project",
    clock: systemClock,
    ...more,
  });

  it("takes a skill from a Git repository, with its source", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    const url = repository(folder, {
      "README.md": "skills",
      "a/review/SKILL.md": SKILL,
      "a/review/scripts/check.sh": "#!/bin/sh\n",
      "a/review/.gitattributes": "*.md filter=evil\n",
      "b/deploy/SKILL.md": SKILL,
    });
    const imported = value(await importSkill(`${url}#v1:a/review`, options(project)));
    expect(imported).toMatchObject({ name: "review", description: "How we review.", scope: "project" });
    expect(imported.source).toMatch(/skills\.git a\/review [0-9a-f]{40}$/);
    const target = project.in(".agents/skills/review");
    expect(readdirSync(target).toSorted()).toEqual([".skill-source", "SKILL.md", "scripts"]);
    expect(readFileSync(join(target, "SKILL.md"), "utf8")).toBe(SKILL);
    const skills = createSkills({ projectDir: project.path, homeDir: project.in("home") });
    expect(await skills.list()).toEqual([imported]);
    expect(readdirSync(project.in(".agents/skills")).filter((name) => /adding|replaced/.test(name))).toEqual([]);
  });

  it("finds the only skill there is, and asks which when there are several", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    write(folder.path, {
      "one/skills/review/SKILL.md": SKILL,
      "two/a/SKILL.md": SKILL,
      "two/b/SKILL.md": SKILL,
      "none/x.md": "",
    });
    expect(value(await importSkill(folder.in("one"), options(project))).name).toBe("review");
    expect(refused(await importSkill(folder.in("two"), options(project)))).toMatchObject({
      code: "conflict",
      details: { skills: ["a", "b"] },
    });
    expect(refused(await importSkill(folder.in("none"), options(project))).code).toBe("not_found");
    expect(refused(await importSkill(folder.in("nowhere"), options(project))).code).toBe("not_found");
  });

  it("never overwrites unless told to, and then leaves nothing of the old one", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    write(folder.path, { "review/SKILL.md": SKILL, "review/old.md": "old", "Review/SKILL.md": SKILL });
    value(await importSkill(folder.in("review"), options(project)));
    write(folder.path, { "next/review/SKILL.md": `${SKILL}new` });
    const again = folder.in("next/review");
    expect(refused(await importSkill(again, options(project))).code).toBe("conflict");
    expect(refused(await importSkill(folder.in("Review"), options(project, { replace: true }))).code).toBe("conflict");
    expect(existsSync(project.in(".agents/skills/review/old.md"))).toBe(true);
    value(await importSkill(again, options(project, { replace: true })));
    expect(readFileSync(project.in(".agents/skills/review/SKILL.md"), "utf8")).toBe(`${SKILL}new`);
    expect(existsSync(project.in(".agents/skills/review/old.md"))).toBe(false);
  });

  it("runs nothing of what it brings: no hook, no filter [skill.add]", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    const witness = folder.in("ran");
    const run = `#!/bin/sh\ntouch ${witness}\n`;
    const url = repository(folder, {
      "SKILL.md": SKILL,
      ".gitattributes": "* filter=evil\n",
      "hooks/post-checkout": run,
    });
    write(folder.path, { "home/hooks/reference-transaction": run, "home/hooks/post-checkout": run });
    for (const hook of ["reference-transaction", "post-checkout"]) {
      execFileSync("chmod", ["+x", folder.in(`home/hooks/${hook}`)]);
    }
    write(folder.path, {
      "home/.gitconfig": `[core]\nhooksPath = ${folder.in("home/hooks")}\n[filter "evil"]\nsmudge = touch ${witness}\n`,
    });
    const environment = { PATH: process.env["PATH"], HOME: folder.in("home") };
    expect(value(await importSkill(url, options(project, { environment }))).name).toBe("skills");
    expect(existsSync(witness)).toBe(false);
    expect(statSync(project.in(".agents/skills/skills/hooks/post-checkout")).mode & 0o111).toBe(0);
  });

  it.each<[string, Parameters<typeof repository>[2], string]>([
    [
      "a link",
      (git) => {
        const id = git("rev-parse", ":SKILL.md").trim();
        git("update-index", "--add", "--cacheinfo", `120000,${id},link.md`);
      },
      "forbidden",
    ],
    [
      "a submodule",
      (git) => void git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`),
      "forbidden",
    ],
    [
      "a name another system cannot hold",
      (git) =>
        void git("update-index", "--add", "--cacheinfo", `100644,${git("rev-parse", ":SKILL.md").trim()},a:b.md`),
      "invalid",
    ],
    [
      "two names that differ in case only",
      (git) =>
        void git("update-index", "--add", "--cacheinfo", `100644,${git("rev-parse", ":SKILL.md").trim()},skill.MD`),
      "conflict",
    ],
  ])("refuses %s", async (_what, tamper, code) => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    const url = repository(folder, { "SKILL.md": SKILL }, tamper);
    expect(refused(await importSkill(url, options(project))).code).toBe(code);
    expect(existsSync(project.in(".agents/skills/skills"))).toBe(false);
  });

  it("refuses what is too large, before anything is written", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    write(folder.path, { "big/SKILL.md": "x".repeat(2 * 1024 * 1024), "many/SKILL.md": SKILL });
    for (let index = 0; index < 201; index += 1) write(folder.path, { [`many/${index}.md`]: "" });
    for (const name of ["big", "many"]) {
      expect(refused(await importSkill(folder.in(name), options(project))).code).toBe("too_large");
    }
    expect(existsSync(project.in(".agents"))).toBe(false);
  });

  it("refuses a repository or a ref that is not there, in one line", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    const url = repository(folder, { "SKILL.md": SKILL });
    for (const source of [`file://${folder.in("nothing.git")}`, `${url}#nothing`, `${url}#main:nothing`]) {
      const { message } = refused(await importSkill(source, options(project)));
      expect(message.split("\n")).toHaveLength(1);
    }
  });

  it("does not follow a link in place of the skills folder", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    write(folder.path, { "review/SKILL.md": SKILL });
    mkdirSync(project.in(".agents"));
    mkdirSync(folder.in("elsewhere"));
    symlinkSync(folder.in("elsewhere"), project.in(".agents/skills"));
    expect(refused(await importSkill(folder.in("review"), options(project))).code).toBe("forbidden");
    expect(readdirSync(folder.in("elsewhere"))).toEqual([]);
  });
});
