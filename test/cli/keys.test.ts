import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { commandFolder } from "../support/daemon/installed-command.ts";

it("[begin.login] never writes over a damaged file of keys; login, logout, providers and doctor name it", async () => {
  using folder = commandFolder();
  const env = { AGENT_WORKER_HOME: folder.in("home"), PATH: join(process.execPath, "..") };
  mkdirSync(folder.in("home"), { mode: 0o700 });
  const file = folder.in("home/keys.json");
  writeFileSync(file, "{broken", { mode: 0o600 });
  const login = ["login", "anthropic", "--in", "file"];
  for (const args of [login, ["logout", "anthropic"]]) {
    const refused = await folder.run(args, { env, input: "sk-test-not-a-key\n" });
    expect(refused, args[0]).toMatchObject({ exit: 1, out: "" });
    expect(refused.err).toContain(`${file} is damaged`);
    expect(refused.err).toContain(`mv ${file} ${file}.damaged`);
  }
  expect(readFileSync(file, "utf8")).toBe("{broken");
  expect((await folder.run(["providers"], { env })).out).toContain(`${file} is damaged`);
  expect((await folder.run(["doctor"], { env })).out).toContain(`${file} is damaged`);
  writeFileSync(file, "");
  expect((await folder.run(login, { env, input: "sk-test-not-a-key\n" })).exit).toBe(1);
  writeFileSync(file, '{"keys":{}}');
  expect(await folder.run(login, { env, input: "sk-test-not-a-key\n" })).toMatchObject({ exit: 0 });
  expect((await folder.run(["providers"], { env })).out).not.toContain("damaged");
});

it("[begin.login] providers says that a key is only in this terminal while the daemon does not have it", async () => {
  await using daemon = await startCommandedDaemon();
  const env = { ANTHROPIC_API_KEY: "sk-test-not-a-key" };
  const { out } = await daemon.run(["providers"], { env });
  expect(out).toMatch(/^anthropic +ANTHROPIC_API_KEY only in this terminal/m);
  expect(out).toContain("ANTHROPIC_API_KEY is set in this terminal, and the daemon does not have it.\n");
  expect(out).toContain(
    "agent-worker login anthropic, or start the daemon anew from here: agent-worker daemon restart\n",
  );
  await daemon.run(["login", "anthropic", "--in", "file"], { env, input: "sk-test-not-a-key\n" });
  expect((await daemon.run(["providers"], { env })).out).toMatch(/^anthropic +ready, ANTHROPIC_API_KEY/m);
});
