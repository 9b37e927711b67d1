import { afterAll, beforeAll, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";

const answering = Promise.withResolvers<void>();
let model: FakeModelServer;
let daemon: CommandedDaemon;

beforeAll(async () => {
  model = await startFakeModelServer(({ body }) =>
    JSON.stringify(body).includes("slowly") ? { text: "Slow.", after: answering.promise } : { text: "Answered." },
  );
  const provider = `{ name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  daemon = await startCommandedDaemon({
    files: {
      "moniro.yaml": `defaults: { model: fake, provider: ${provider} }\n`,
      ".agents/al.yaml": "name: al\nprompt: { system: You are al. }\n",
      ".workflows/mem.yaml": "name: mem\nagents: { al: { ref: al } }\nworkspace: { provider: memory }\n",
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef", AGENT_WORKER_TRUST: "" },
  });
});
afterAll(async () => {
  answering.resolve();
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

const untrusted = { AGENT_WORKER_TRUST: "" };
const requestsWith = (text: string): number =>
  model.requests.filter(({ body }) => JSON.stringify(body).includes(text)).length;

it("[trust.keeps] consent lets what rested go on, and neither breaks off a step nor ends what is in memory", async () => {
  expect(await daemon.run(["trust", "--trust"], { env: untrusted })).toMatchObject({ exit: 0 });
  expect(await daemon.run(["new", "k1", "-s", "You are k1."], { env: untrusted })).toMatchObject({ exit: 0 });
  const answered = await daemon.run(["send", "k1", "hi", "--wait"], { env: untrusted });
  expect(answered, "what the defaults give to agents was seen already").toMatchObject({ exit: 0 });
  expect(answered.out).toContain("Answered.");
  expect(await daemon.run(["start", "mem"], { env: untrusted })).toMatchObject({ exit: 0 });
  expect(await daemon.run(["send", "@mem", "remember this"], { env: untrusted })).toMatchObject({ exit: 0 });
  expect(await daemon.run(["send", "al", "slowly please"], { env: untrusted })).toMatchObject({ exit: 0 });
  await expect.poll(() => requestsWith("slowly"), { timeout: 20_000 }).toBe(1);

  daemon.write(".agents/z.yaml", "name: z\nprompt: { system: You are z. }\npermissions: { mode: host }\n");
  const rests = await daemon.run(["send", "z", "hello"], { env: untrusted });
  expect(rests).toMatchObject({ exit: 3 });
  expect(await daemon.run(["trust", "--trust"], { env: untrusted })).toMatchObject({ exit: 0 });
  const goesOn = await daemon.run(["send", "z", "hello again", "--wait"], { env: untrusted });
  expect(goesOn).toMatchObject({ exit: 0 });

  expect((await daemon.run(["peek", "k1"], { env: untrusted })).out).toContain("Answered.");
  expect((await daemon.run(["peek", "@mem"], { env: untrusted })).out).toContain("remember this");
  answering.resolve();
  await expect
    .poll(async () => (await daemon.run(["peek", "al"], { env: untrusted })).out, { timeout: 20_000 })
    .toContain("Slow.");
  expect(requestsWith("slowly")).toBe(1);
});

it("[trust.keeps] --trust trusts the project as it is with any command, also one that only looks", async () => {
  daemon.write(".agents/look.yaml", "name: look\nprompt: { system: You are look. }\npermissions: { mode: host }\n");
  expect((await daemon.run(["ls"], { env: untrusted })).out).toMatch(/^look +file +rests/m);
  expect((await daemon.run(["ls", "--trust"], { env: untrusted })).out).toMatch(/^look +file +idle/m);
  expect((await daemon.run(["ls"], { env: untrusted })).out).toMatch(/^look +file +idle/m);
});

it("[trust.keeps] an agent that rests goes on with the conversation it had, also when the consent is part of a command", async () => {
  daemon.write(
    "moniro.yaml",
    `defaults: { model: fake, provider: { name: anthropic, base_url: "${model.url}/v1/", api_key: $FAKE_KEY } }\n`,
  );
  const rests = await daemon.run(["send", "k1", "second"], { env: untrusted });
  expect(rests, rests.out).toMatchObject({ exit: 0 });
  expect(await daemon.run(["new", "k2", "-s", "You are k2."], { env: untrusted })).toMatchObject({ exit: 0 });
  const refused = await daemon.run(["send", "k2", "hi"], { env: untrusted });
  expect(refused).toMatchObject({ exit: 3 });
  expect(refused.err).toContain("agent-worker trust");
  const sent = await daemon.run(["send", "k2", "hi", "--wait", "--trust"], { env: untrusted });
  expect(sent.out).toContain("Answered.");
  expect((await daemon.run(["peek", "k1"], { env: untrusted })).out).toContain("Answered.");
});
