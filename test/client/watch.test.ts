import { expect, it } from "vitest";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { agentFile } from "../support/team/team.ts";

it("watching tells words as they come, what is recorded, and that the daemon is gone and back [terminal.survives]", async () => {
  await using first = await startTestDaemon({
    files: {
      ...agentFile("ann", "model: ann.yaml\n"),
      "ann.yaml": "- repeat: true\n  steps:\n    - say: Here I am.\n      pace: 5ms\n",
    },
  });
  const { client } = first;
  const kinds: string[] = [];
  let words = "";
  let restarted: Awaited<ReturnType<typeof first.restart>> | undefined;
  for await (const watched of client.watch()) {
    if (watched.kind === "connected" && restarted === undefined)
      await client.call("send-message", { to: "ann", message: "hello" });
    if (watched.kind === "live" && watched.event.type === "text") words += watched.event.text;
    if (kinds.at(-1) !== watched.kind) kinds.push(watched.kind);
    if (watched.kind === "recorded" && watched.event.type === "run.ended") await first.stop("SIGKILL");
    if (watched.kind === "lost") restarted ??= await first.restart();
    if (watched.kind === "connected" && restarted !== undefined) break;
  }
  await using _second = restarted;
  expect(words).toBe("Here I am.");
  expect(kinds[0]).toBe("connected");
  expect(kinds).toContain("live");
  expect(kinds.slice(-2)).toEqual(["lost", "connected"]);
}, 60_000);
