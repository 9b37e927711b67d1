import { startServer, type TestServer } from "../postgres/server.ts";
import { spawnSupport, type Spawned } from "../process/spawned.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { makeMachine, type Machine } from "./machine.ts";
import { makeNetwork, type TestNetwork } from "./network.ts";

const MODEL_PORT = 9_900;
const AGENT = `name: alice
model: fake-model
provider: { name: anthropic, base_url: "http://127.0.0.1:${MODEL_PORT}/v1", api_key: $FAKE_KEY }
prompt: { system: Work. }
`;

/** A machine with a model of its own, which answers when a test says so. */
export interface ModelMachine extends Machine {
  readonly model: Spawned;
}

export interface ModelTeam extends AsyncDisposable {
  readonly network: TestNetwork;
  readonly server: TestServer;
  readonly machines: readonly [ModelMachine, ModelMachine];
}

/** One agent on a model, on two machines, with real daemons. What happens to the network does not concern the models. */
export async function startModelTeam(): Promise<ModelTeam> {
  await using made = new AsyncDisposableStack();
  const folder = made.use(temporaryFolder());
  const network = made.use(makeNetwork(["server", "left", "right"]));
  const address = network.addressOf("server");
  const server = made.use(await startServer({ on: network.on("server"), address }));
  const startMachine = async (name: string): Promise<ModelMachine> => {
    const on = network.on(name);
    const model = made.use(spawnSupport("model-process.ts", [String(MODEL_PORT)], { on }));
    await model.line("listening");
    const machine = made.use(
      makeMachine({
        on,
        name,
        folder: folder.path,
        program: ["daemon-process.ts"],
        files: { ".agents/alice.yaml": AGENT, "moniro.yaml": "store: { url: $DATABASE_URL, schema: team }\n" },
        env: { DATABASE_URL: server.urlOf("team").replace(/\?.*/, ""), FAKE_KEY: "no-secret" },
      }),
    );
    await machine.start();
    return { ...machine, model };
  };
  const machines = [await startMachine("left"), await startMachine("right")] as const;
  const parts = made.move();
  return { network, server, machines, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
