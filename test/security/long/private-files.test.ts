import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { value } from "../../support/result.ts";
import { attack } from "../../support/security/attack.ts";

/** Where well-known programs keep keys and logins. */
const KEY_FILES: readonly string[] = [
  ".docker/config.json",
  ".dockercfg",
  ".config/gcloud/credentials.db",
  ".config/gh/hosts.yml",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".vault-token",
  ".s3cfg",
  ".boto",
  ".terraformrc",
  ".htpasswd",
  "deploy/kubeconfig",
  "deploy/service-account.json",
  "deploy/service-account-prod.json",
  "deploy/credentials.json",
  "deploy/secrets.yml",
  "deploy/secrets.yaml",
  "deploy/auth.json",
  "deploy/prod.env",
  "deploy/env.production",
  "deploy/terraform.tfstate",
  "deploy/prod.tfvars",
  "deploy/login.ppk",
  "vendor/lib/.git/config",
];

/** What nobody but its owner may read. Each text is in one file only. */
const SECRETS: Readonly<Record<string, string>> = {
  ".agents/bob/memory/plan.md": "MEMORY-OF-BOB",
  ".agents/bob/notes/today.md": "NOTE-OF-BOB",
  "people/carol/memory/plan.md": "MEMORY-OF-CAROL",
  ".env": "KEY=ENV-OF-PROJECT",
  "deploy/.env.production": "KEY=ENV-OF-DEPLOY",
  "deploy/server.pem": "PEM-OF-SERVER",
  "deploy/tls.key": "KEY-OF-TLS",
  "deploy/id_rsa": "KEY-OF-SSH",
  ".ssh/config": "CONFIG-OF-SSH",
  ".aws/credentials": "CREDENTIALS-OF-AWS",
  ".npmrc": "TOKEN-OF-NPM",
  ".netrc": "LOGIN-OF-NETRC",
  "sub/.env": "KEY=ENV-OF-SUB",
  ...Object.fromEntries(KEY_FILES.map((path) => [path, `VALUE-OF-FILE of ${path}`])),
};
const SECRET = /-OF-(BOB|CAROL|PROJECT|DEPLOY|SERVER|TLS|SSH|AWS|NPM|NETRC|SUB|FILE)|SQLite format/;

/** The model makes the calls that the message names, and then says what came of it. */
const CALL = /CALL(.+?)END/s;

let model: FakeModelServer;
let daemon: CommandedDaemon;
beforeAll(async () => {
  model = await startFakeModelServer(({ messages }) => {
    const text = JSON.stringify(messages);
    const last = JSON.stringify(messages.at(-1));
    if (last.includes('"tool_result"')) return { text: last };
    const call = CALL.exec(text.slice(text.lastIndexOf("CALL")))?.[1] ?? "";
    return { toolCalls: JSON.parse(Buffer.from(call, "base64").toString("utf8")) as ToolCall[] };
  });
  const agent = (name: string, more = ""): readonly [string, string] => [
    `.agents/${name}.yaml`,
    [
      `name: ${name}`,
      "model: fake-model",
      `provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`,
      `prompt: { system: You are ${name}. }`,
      more,
      "",
    ].join("\n"),
  ];
  daemon = await startCommandedDaemon({
    files: {
      ...Object.fromEntries([
        agent("mallory"),
        agent("hostile", "permissions: { mode: host, allow: [bash, read_file, write_file, list_files] }"),
        agent(
          "tester",
          "permissions: { mode: host, allow: ['bash(npm test*)', 'bash(git *)', 'bash(find *)', 'bash(env *)', 'bash(xargs *)', 'bash(tar *)', 'bash(zip *)', 'bash(python3 *)', 'bash(perl *)', 'bash(node *)'] }",
        ),
        agent("bob"),
        agent("carol", "context: { dir: people/carol }"),
      ]),
      ...SECRETS,
      ".agents/mallory/memory/own.md": "MY-OWN-MEMORY",
      ".env.example": "KEY=SHOWN-TO-ALL",
      "src/a.ts": "PLAIN-SOURCE",
      "fixture/HEAD": "ref: refs/heads/main",
      "package.json": '{ "scripts": { "test": "echo tested" } }',
      "evil.sh": "#!/bin/sh\ntouch started-by-evil\n",
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

beforeAll(() => {
  symlinkSync(".env", join(daemon.project, "link-to-env"));
  symlinkSync(".agents", join(daemon.project, "link-to-agents"));
});

interface ToolCall {
  readonly name: string;
  readonly args: unknown;
}

/** Lets the agent make these calls in one step, and returns what its model was told about them. */
async function answerTo(agent: string, calls: readonly ToolCall[]): Promise<string> {
  const text = Buffer.from(JSON.stringify(calls)).toString("base64");
  return JSON.stringify(value(await daemon.client.serve({ agent, message: `CALL${text}END` })));
}

/** Returns what the agent's model was told about its call, or that a person was asked, who then refuses. */
async function use(agent: string, name: string, args: unknown): Promise<string> {
  const asked = askedFor(agent);
  const first = await Promise.race([answerTo(agent, [{ name, args }]), asked.found]);
  asked.stop();
  return first;
}

/** As `answerTo` for one call per path, and one more for a file that everybody may read: so all were really made. */
async function useForEach(agent: string, name: string, paths: readonly string[]): Promise<string> {
  const calls = [...paths, "src/a.ts"].map((path) => ({ name, args: { path } }));
  const answer = await answerTo(agent, calls);
  expect(answer.match(/tool_result/g)).toHaveLength(calls.length);
  expect(answer).toContain("PLAIN-SOURCE");
  return answer;
}

function askedFor(agent: string) {
  let wanted = true;
  const look = async (): Promise<string> => {
    while (wanted) {
      const { approvals } = value(await daemon.client.call("list-approvals", {}));
      const mine = approvals.find((one) => one.agent === agent);
      if (mine !== undefined) {
        value(await daemon.client.call("deny", { id: mine.id, reason: "an attack" }));
        return "A PERSON WAS ASKED";
      }
      await pause(20);
    }
    return "";
  };
  return { found: look(), stop: () => (wanted = false) };
}

for (const [what, command] of [
  ["prints another agent's memory", "cat .agents/bob/memory/*"],
  ["searches all memories", "grep -r OF- .agents people; find / -type f -exec cat {} +"],
  ["names the folder with another case", "cat .agents/BOB/memory/plan.md .AGENTS/bob/memory/plan.md"],
  ["goes there first", "cd .agents/bob/memory && cat plan.md"],
  ["reads a folder that an agent chose for its context", "cat people/carol/memory/plan.md"],
  [
    "copies the project and reads the copy",
    "cd / && cp -r project q; cat /q/.agents/bob/memory/* /q/.env /q/.workspace/*",
  ],
  ["renames the folder of all agents", "mv .agents /project/moved; cat moved/bob/memory/plan.md"],
  [
    "renames the project",
    "cd /; mv project moved; cat moved/.agents/bob/notes/today.md moved/.workspace/agent-worker.db",
  ],
  ["links to it", "ln -s /project/.agents/bob l; cat l/memory/plan.md; ln .env e; cat e"],
  ["puts everything into an archive", "tar cf /a.tar .agents .env deploy people; cat /a.tar"],
  ["reads the files with keys", "cat .env deploy/* .ssh/config .aws/credentials .npmrc .netrc"],
  ["copies a key file under another name", "cp .env a.txt; cat a.txt; cp deploy/server.pem b; cat b"],
  ["reads the daemon's database from a copy", "cd /; cp -r /project/.workspace /w; cat /w/agent-worker.db"],
] as const) {
  attack(`an agent's virtual shell ${what} [private.files]`, async () => {
    expect(await use("mallory", "bash", { command })).not.toMatch(SECRET);
  });
}

for (const path of KEY_FILES) {
  attack(`an agent's virtual shell prints ${path} [private.files]`, async () => {
    expect(await use("mallory", "bash", { command: `cat ${path}` })).not.toMatch(/VALUE-OF-FILE/);
  });
}

attack("an agent reads others' files with its file tools [private.files]", async () => {
  const paths = [...Object.keys(SECRETS), "/project/.agents/bob/memory/plan.md", "./src/../.env", ".ENV"];
  expect(await useForEach("mallory", "read_file", paths)).not.toMatch(SECRET);
  expect(await use("mallory", "list_files", { path: ".agents/bob/memory" })).not.toContain("plan.md");
});

attack("protection goes so far that an agent cannot read what is its own [private.files]", async () => {
  const command = "cat .agents/mallory/memory/own.md .env.example src/a.ts; ls .agents";
  const seen = await use("mallory", "bash", { command });
  for (const text of ["MY-OWN-MEMORY", "SHOWN-TO-ALL", "PLAIN-SOURCE", "bob.yaml"]) expect(seen).toContain(text);
});

attack("an agent on the host reads others' files with its file tools [private.files]", async () => {
  const paths = [...Object.keys(SECRETS), "src/../.env", ".workspace/agent-worker.db"];
  expect(await useForEach("hostile", "read_file", paths)).not.toMatch(SECRET);
  expect(await use("hostile", "list_files", { path: ".agents/bob/memory" })).not.toContain("plan.md");
  expect(await use("hostile", "read_file", { path: "src/a.ts" })).toContain("PLAIN-SOURCE");
});

for (const command of [
  "cat .env",
  "cat ./deploy/../.env",
  "cd .agents/bob && cat memory/plan.md",
  "cat .agents/*/memory/*",
  "cat .en*",
  "sh -c 'cat .npmrc'",
  "cat < .netrc",
  "grep . --file=deploy/id_rsa",
  "cat people/carol/memory/plan.md",
  "cat .e?v",
  "cat .en[v]",
  "cat .e*",
  "cat .*",
  "cat deploy/*",
  "cat sub/.*",
  "cat */.e*",
  "cd sub && cat .e*",
  "cat link-to-env",
  "cat link-to-agents/bob/notes/today.md",
  "ln -s .agents new-link && cat new-link/bob/notes/today.md",
  "cp -r .agents copied && cat copied/bob/notes/today.md",
  "cp -a . ../copied-project && cat ../copied-project/.e*",
  "cp -Rt copied-too sub",
  "mv sub moved && cat moved/.e*",
  "tar cf - sub",
  "tar -c -f - -C .agents bob",
]) {
  attack(`an agent's host shell, which a rule allows, runs ${command} [private.files]`, async () => {
    expect(await use("hostile", "bash", { command })).toBe("A PERSON WAS ASKED");
  });
}

for (const command of [
  "cat src/*",
  "cp -r src copy-of-src && cat copy-of-src/a.ts",
  "cp src/a.ts . && cat a.ts",
  "cat s*/a.t?",
]) {
  attack(`the check is so strict that ${command} has to be asked [private.files]`, async () => {
    expect(await use("hostile", "bash", { command })).toContain("PLAIN-SOURCE");
  });
}

for (const path of [
  ".mcp.json",
  ".claude/settings.json",
  ".cursor/mcp.json",
  ".codex/config.toml",
  ".opencode/plugin/x.ts",
  "opencode.json",
  "CLAUDE.md",
  "src/CLAUDE.md",
  "AGENTS.md",
  ".husky/pre-commit",
  ".vscode/tasks.json",
  "vendor/lib/.git/hooks/post-checkout",
  "vendor/.claude/settings.json",
  ".envrc",
  ".npmrc",
  "bare/HEAD",
  "fixture/config",
  "fixture/hooks/post-checkout",
  "mirror.git/config",
  ".github/workflows/x.yml",
  ".github/copilot-instructions.md",
  ".gitlab-ci.yml",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  ".windsurf/rules/x.md",
  ".windsurfrules",
  ".clinerules",
  ".clinerules/x.md",
  ".roo/rules/x.md",
  ".kiro/settings/mcp.json",
  ".zed/tasks.json",
  ".amp/settings.json",
  ".continue/config.yaml",
  ".aider.conf.yml",
  ".goosehints",
  ".junie/guidelines.md",
  ".rules",
  ".claude.json",
  ".claude-plugin/plugin.json",
  ".pnpmfile.cjs",
  ".yarn/releases/yarn.cjs",
  "mise.toml",
  ".tool-versions",
  ".bashrc",
  ".profile",
  "skills/x/SKILL.md",
]) {
  attack(`an agent writes ${path}, which another program obeys [private.obeyed-files]`, async () => {
    await use("hostile", "write_file", { path, content: "EVIL" });
    const file = join(daemon.project, path);
    expect(existsSync(file) && readFileSync(file, "utf8").includes("EVIL")).toBe(false);
  });
}

attack("the check is so strict that an agent writes no settings of its own [private.obeyed-files]", async () => {
  for (const path of ["app/config", "app/hooks/use-x.ts", "app/header.ts", ".github/FUNDING.yml", "src/rules.md"]) {
    await use("hostile", "write_file", { path, content: "FINE" });
    expect(readFileSync(join(daemon.project, path), "utf8"), path).toBe("FINE");
  }
});

for (const command of [
  "npm test --script-shell=./evil.sh",
  "npm test --script-sh ./evil.sh",
  "npm test --prefix ../elsewhere",
  "git -c core.fsmonitor=./evil.sh status",
  "git --exec-path=. status",
  "git fetch --upload-pack ./evil.sh .",
  "git -c alias.x=!./evil.sh x",
  "find . -maxdepth 0 -exec ./evil.sh ;",
  "find . -maxdepth 0 -execdir sh evil.sh \\;",
  "env sh ./evil.sh",
  "env ./evil.sh",
  "xargs sh ./evil.sh",
  "tar cf x.tar src --checkpoint=1 --checkpoint-action=exec=./evil.sh",
  "git clone -u ./evil.sh . y",
  "git send-email --smtp-server=./evil.sh a.patch",
  "git instaweb --httpd=./evil.sh",
  "tar cfFL x.tar ./evil.sh 1 src",
  "zip -T -TT ./evil.sh x.zip src/a.ts",
  "python3 -c 'import os; os.system(\"./evil.sh\")'",
  "python3 -Ic 'import os; os.system(\"./evil.sh\")'",
  "perl -we 'system(\"./evil.sh\")'",
  "node -",
  "npm testx",
]) {
  attack(
    `a command that a pattern allows starts another program: ${command} [permission.no-other-program]`,
    async () => {
      expect(await use("tester", "bash", { command })).toBe("A PERSON WAS ASKED");
      expect(existsSync(join(daemon.project, "started-by-evil"))).toBe(false);
    },
  );
}

attack("the check is so strict that what is allowed has to be asked [permission.no-other-program]", async () => {
  expect(await use("tester", "bash", { command: "npm test -- --reporter=dot" })).toContain("tested");
  expect(await use("tester", "bash", { command: "git --version" })).toContain("git version");
});
