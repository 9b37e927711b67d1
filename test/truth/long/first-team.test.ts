import { once } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEAM_NAMES } from "../../../src/files/project/team-templates.ts";
import { commandFolder } from "../../support/daemon/installed-command.ts";
import { hasTerminals, startInTerminal } from "../../support/daemon/terminal-command.ts";

const PATIENT = { timeout: 180_000 };
const ALONE = { PATH: "/usr/bin:/bin", AGENT_WORKER_PORT: "0", AGENT_WORKER_TRUST: "" };

describe("init", () => {
  it.each(TEAM_NAMES)("--team %s makes a team that is in order [begin.teams]", async (team) => {
    using folder = commandFolder();
    const made = await folder.run(["init", "--team", team, "--backend", "claude"], { env: ALONE });
    expect(made).toMatchObject({ exit: 0, err: "" });
    const { exit, out } = await folder.run(["check"], { env: ALONE });
    expect({ exit, out }).toEqual({ exit: 0, out: expect.stringMatching(/, 0 problems\n$/) });
  });

  it("uses a model that a local server has, when nothing else is there [begin.local]", async () => {
    const server = createServer((_, response) => response.end('{"data":[{"id":"qwen3:8b"},{"id":"\\u001b[2J"}]}'));
    await once(server.listen(0, "127.0.0.1"), "listening");
    try {
      using folder = commandFolder();
      const { port } = server.address() as AddressInfo;
      const env = { ...ALONE, PATH: "/nowhere", OLLAMA_HOST: `127.0.0.1:${port}` };
      const { out } = await folder.run(["init", "team"], { env });
      expect(out).toContain("The team runs on qwen3:8b (ollama).");
      expect(out).toContain("Next:\n  cd team\n");
      const agent = readFileSync(folder.in("team/.agents/alice.yaml"), "utf8");
      expect(agent).toContain(`base_url: "http://127.0.0.1:${port}/v1"`);
      expect(await folder.run(["check"], { cwd: "team", env })).toMatchObject({ exit: 0 });
    } finally {
      server.close();
    }
  });

  it.runIf(hasTerminals)(
    "talks with me on a terminal: what it found, which team, on what, and what to type [begin.init]",
    PATIENT,
    async () => {
      using folder = commandFolder({
        "bin/codex": '#!/bin/sh\ncase "$1" in --version) echo "codex 1.2.3";; *) echo "Logged in";; esac\n',
      });
      chmodSync(folder.in("bin/codex"), 0o755);
      const env = { ...ALONE, HOME: folder.path, PATH: `${folder.in("bin")}:/bin:/usr/bin` };
      const answers: [RegExp, string][] = [
        [/Which team/, "\r"],
        [/What should it run on/, "\r"],
      ];
      const command = startInTerminal(["init", "team"], {
        cwd: folder.path,
        env,
        onShown: ({ shown, press }) => {
          const [question, answer] = answers[0] ?? [];
          if (question?.test(shown()) !== true || answer === undefined) return;
          answers.shift();
          press(answer);
        },
      });
      const { exit, shown } = await command.ended;
      expect({ exit, answers }).toEqual({ exit: 0, answers: [] });
      expect(shown).toContain("codex 1.2.3: ready");
      expect(shown).toContain("claude: not installed");
      expect(shown).toMatch(/cd team\r?\n {2}agent-worker run review/);
      expect(readFileSync(folder.in("team/.agents/reviewer.yaml"), "utf8")).toMatch(/^backend: codex$/m);
    },
  );

  it.runIf(hasTerminals)(
    "makes nothing when I give up, and asks nothing with --yes [begin.init]",
    PATIENT,
    async () => {
      using folder = commandFolder();
      const env = { ...ALONE, HOME: folder.path };
      let pressed = false;
      const given = await startInTerminal(["init", "team"], {
        cwd: folder.path,
        env,
        onShown: ({ shown, press }) => {
          if (!pressed && shown().includes("Which team")) press("\u0003");
          pressed ||= shown().includes("Which team");
        },
      }).ended;
      expect(given.exit).toBe(130);
      expect(existsSync(join(folder.in("team"), ".agents"))).toBe(false);
      const yes = await startInTerminal(["init", "team", "--yes"], { cwd: folder.path, env }).ended;
      expect(yes.exit).toBe(0);
      expect(yes.shown).not.toContain("Which team");
    },
  );
});
