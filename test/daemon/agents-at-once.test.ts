import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";

const file = (name: string) => `name: ${name}\nbackend: mock\nprompt: { system: You are ${name}. }\n`;

describe("an agent that is made while the daemon runs", () => {
  it("is addressed at once, by whatever way it was made [agent.live]", async () => {
    await using daemon = await startCommandedDaemon({
      files: {
        ".agents/alice.yaml": file("alice"),
        ".workflows/pair.yaml": "name: pair\nagents: { alice: { ref: alice } }\n",
      },
    });
    expect(await daemon.run(["agent", "create", "bob", "--backend", "mock", "--system", "You are bob."])).toMatchObject(
      {
        exit: 0,
      },
    );
    const created = await daemon.fetch("/agents", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "carol", backend: "mock", system: "You are carol." }),
    });
    expect(created.status).toBe(200);
    daemon.write(".agents/dave.yaml", file("dave"));
    for (const name of ["bob", "carol", "dave"]) {
      expect(await daemon.run(["send", name, "are you there?", "--wait"]), name).toMatchObject({ exit: 0, err: "" });
      const served = await daemon.fetch("/serve", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ agent: name, message: "and now?" }),
      });
      expect(await served.json(), name).toMatchObject({ success: true, participants: [name] });
    }
    daemon.write(".workflows/pair.yaml", "name: pair\nagents: { alice: { ref: alice }, dave: { ref: dave } }\n");
    expect(await daemon.json(["serve", "pair", "@dave your turn"])).toMatchObject({
      success: true,
      space: "@pair:main",
    });
  });

  it("and for now only answers, has no file and no personal context, and is gone after a restart [agent.ephemeral]", async () => {
    await using first = await startCommandedDaemon();
    const { name } = (await first.json(["new", "helper", "-b", "mock", "-s", "You help."])) as { name: string };
    expect(name).toBe("helper");
    const asked = await first.fetch("/ephemeral-agents", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ backend: "mock", system: "You help too." }),
    });
    expect(await asked.json()).toMatchObject({ name: "agent-1" });
    for (const agent of ["helper", "agent-1"]) {
      expect(await first.run(["send", agent, "help", "--wait"]), agent).toMatchObject({ exit: 0, err: "" });
      const tools = (await first.json(["tool", "list", agent])) as { tools: { name: string }[] };
      expect(tools.tools.map((tool) => tool.name)).not.toContain("memory_store");
      expect(await first.run(["agent", "notes", agent, "add", "a thought"])).toMatchObject({ exit: 3 });
    }
    const folder = join(first.project, ".agents");
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);

    await first.stop();
    await using second = await first.restart();
    expect(await second.client.call("list-agents", {})).toMatchObject({ ok: true, value: { agents: [] } });
    expect(await second.client.call("send-message", { to: "helper", message: "help" })).toMatchObject({
      ok: false,
      error: { code: "not_found" },
    });
  });
});
