import { once } from "node:events";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { connectToDaemon } from "../../../src/client/connect.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { openDaemon } from "../../../src/daemon/daemon.ts";
import { removeDiscovery, writeDiscovery } from "../../../src/daemon/discovery-file.ts";
import { readRegistration, spawnDaemon, startTestDaemon } from "../../support/daemon/daemon.ts";
import { register, registration } from "../../support/daemon/registration.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const environment = (home: string) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  AGENT_WORKER_HOME: home,
  AGENT_WORKER_PORT: "0",
});

describe("one daemon for a home (F11)", () => {
  it(
    "of ten that are started at once one wins; the others name it and end [daemon.one]",
    { timeout: 60_000 },
    async () => {
      using folder = temporaryFolder();
      const home = folder.in("home");
      const tries = await Promise.allSettled(
        Array.from({ length: 10 }, () => spawnDaemon([folder.path], environment(home))),
      );
      const winners = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      try {
        expect(winners).toHaveLength(1);
        const [winner] = winners;
        const { pid, port } = readRegistration(home);
        expect(winner?.pid).toBe(pid);
        for (const lost of tries) {
          if (lost.status === "fulfilled") continue;
          expect(String(lost.reason)).toContain("ended with 3");
          expect(String(lost.reason)).toContain(
            `daemon_running: A daemon is already running: process ${pid} at http://127.0.0.1:${port}.`,
          );
          expect(String(lost.reason)).toContain("agent-worker daemon stop");
        }
        using client = await connectToDaemon({ home, env: {} });
        expect((await client.health()).pid).toBe(pid);
      } finally {
        await Promise.all(winners.map((each) => each.stop()));
      }
    },
  );

  it("is free as soon as its daemon is dead, however it died", async () => {
    await using first = await startTestDaemon();
    await first.stop("SIGKILL");
    expect(readRegistration(first.home).pid, "the registration stays behind").toBe(first.pid);
    await using second = await first.restart();
    expect(second.pid).not.toBe(first.pid);
    expect((await second.client.health()).pid).toBe(second.pid);
    expect(await second.stop()).toBe(0);
    expect(existsSync(`${second.home}/daemon.json`)).toBe(false);
  });

  it("is held in the same process too", async () => {
    using folder = temporaryFolder();
    const home = folder.in("home");
    await using daemon = await openDaemon({ trustsAll: true, home, env: {} });
    await expect(openDaemon({ trustsAll: true, home, env: {} })).rejects.toThrow(
      `process ${process.pid} at ${daemon.url}`,
    );
    await using other = await openDaemon({ trustsAll: true, home: folder.in("other"), env: {} });
    expect(other.url).not.toBe(daemon.url);
  });

  it("does not share its projects with the daemon of another home, and says so", async () => {
    using folder = temporaryFolder();
    await using _first = await openDaemon({
      trustsAll: true,
      home: folder.in("one"),
      projectDir: folder.path,
      env: {},
    });
    await using _second = await openDaemon({
      trustsAll: true,
      home: folder.in("two"),
      projectDir: folder.path,
      env: {},
    });
    using owner = await createClient({ home: folder.in("one") });
    using other = await createClient({ home: folder.in("two") });
    expect((await owner.call("list-agents", {})).ok).toBe(true);
    await expect(other.call("list-agents", {})).rejects.toMatchObject({
      code: "database_locked",
      message: expect.stringContaining("Another agent-worker process has this project open"),
    });
    expect(await other.health()).toMatchObject({ status: "degraded", projects: [] });
  });

  it("is refused when it is a link, no folder, or somebody else's", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in("real"));
    symlinkSync(folder.in("real"), folder.in("link"));
    writeFileSync(folder.in("file"), "");
    const open = (home: string) => openDaemon({ trustsAll: true, home, env: {} });
    await expect(open(folder.in("link"))).rejects.toMatchObject({
      code: "home_unsafe",
      message: expect.stringContaining("symbolic link"),
    });
    await expect(open(folder.in("file"))).rejects.toMatchObject({ code: "home_unsafe" });
    expect(readdirSync(folder.in("real"))).toEqual([]);
    if (process.getuid?.() !== 0) return;
    mkdirSync(folder.in("foreign"));
    chownSync(folder.in("foreign"), 12_345, 12_345);
    await expect(open(folder.in("foreign"))).rejects.toMatchObject({
      message: expect.stringContaining("another user"),
    });
  });
});

describe("the port (F12)", () => {
  it("is any free one for 0, a given one otherwise, and a taken one is named [daemon.port]", async () => {
    using folder = temporaryFolder();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const home = folder.in("home");
    await expect(openDaemon({ trustsAll: true, home, port, env: {} })).rejects.toMatchObject({
      code: "port_unusable",
      message: `Port ${port} on 127.0.0.1 is taken by another program.`,
      hint: expect.stringContaining("--port 0"),
    });
    expect(existsSync(`${home}/daemon.json`)).toBe(false);
    taken.close();
    await once(taken, "close");
    {
      // The home is free again: what failed let go of it.
      await using daemon = await openDaemon({ trustsAll: true, home, port, env: {} });
      expect(daemon.url).toBe(`http://127.0.0.1:${port}`);
    }
    const wrong = spawnDaemon([folder.path], { ...environment(home), AGENT_WORKER_PORT: "http" });
    await expect(wrong).rejects.toThrow('AGENT_WORKER_PORT is "http", which is no port');
  });

  it("beyond this machine is refused without encryption or a stated proxy", async () => {
    using folder = temporaryFolder();
    // An address nobody has: what counts is said before it is tried.
    const daemon = spawnDaemon([folder.path, "0", "192.0.2.1"], environment(folder.in("home")));
    await expect(daemon).rejects.toThrow("Listening on 192.0.2.1 needs encryption.");
    await expect(daemon).rejects.toThrow("--tls-cert FILE and --tls-key FILE, or --behind-proxy NAME");
  });
});

describe("the registration (F12)", () => {
  it("appears whole and private whatever the umask, in the place of whatever was there [daemon.discovery-file]", async () => {
    for (const mask of [0o000, 0o022, 0o277]) {
      using home = temporaryFolder();
      writeFileSync(home.in("elsewhere"), "untouched");
      symlinkSync(home.in("elsewhere"), home.in("daemon.json"));
      const before = process.umask(mask);
      try {
        writeDiscovery(home.path, registration());
      } finally {
        process.umask(before);
      }
      expect(lstatSync(home.in("daemon.json")).isFile()).toBe(true);
      expect(statSync(home.in("daemon.json")).mode & 0o777).toBe(0o600);
      expect(readRegistration(home.path)).toEqual(registration());
      expect(statSync(home.in("elsewhere")).size).toBe("untouched".length);
      expect(readdirSync(home.path).toSorted()).toEqual(["daemon.json", "elsewhere"]);
    }
  });

  it("is taken over when it is stale, and removed only by its owner [daemon.discovery-file]", async () => {
    using folder = temporaryFolder();
    const home = folder.in("home");
    register(home, registration(), 0o644);
    {
      await using daemon = await openDaemon({ trustsAll: true, home, env: {} });
      const { instance, host, port, token, pid, version, startedAt } = readRegistration(home);
      expect({ instance, url: `http://${host}:${port}`, token, version }).toEqual({
        instance: daemon.instance,
        url: daemon.url,
        token: daemon.token,
        version: daemon.version,
      });
      expect(pid).toBe(process.pid);
      expect(Date.parse(startedAt)).toBeGreaterThan(0);
      removeDiscovery(home, "own_somebody-else");
      expect(readRegistration(home).instance).toBe(daemon.instance);
      // Somebody put another registration in its place: that one is not ours to remove.
      register(home, registration({ instance: "own_later" }));
    }
    expect(readRegistration(home).instance).toBe("own_later");
  });
});
