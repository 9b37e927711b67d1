import { createRequire } from "node:module";
import { join } from "node:path";
import { bundleCommands } from "../bin/quick/bundle-commands.mts";
import { connectToDaemon } from "../src/client/connect.ts";
import { format, median, type Bench } from "./bench.ts";
import { LAUNCHER, timePrograms, writeSmallPrograms, type Timed } from "./support/program-time.ts";
import { writeReviewProject } from "./support/review-project.ts";
import { spawnServer } from "./support/spawned-server.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Whether the launcher uses the sources, or what was made of them and still fits them. */
const { findQuickCommand }: { findQuickCommand: (command: string) => string | undefined } = createRequire(
  import.meta.url,
)("../bin/quick/quick-commands.js");

/** The commands people type all day, against a daemon that runs. */
export const cliCold: Bench = {
  name: "cli-cold",
  measures: "ls, send and peek, from the start of the process to its end",
  async run({ quick }) {
    await bundleCommands("src");
    using folder = temporaryFolder();
    const project = join(folder.path, "project");
    const home = join(folder.path, "home");
    const env = { ...process.env, AGENT_WORKER_HOME: home };
    writeReviewProject(project);
    await using daemon = await spawnServer(
      [LAUNCHER, "daemon", "start", "--foreground", "--trust", "--port", "0", "--project", project],
      { env },
    );
    using client = await connectToDaemon({ home, projectDir: project });
    const opened = await client.call("open-workspace", { workflow: "review" });
    if (!opened.ok) throw new Error(opened.error.message);

    const programs = writeSmallPrograms(folder.path);
    const port = new URL(daemon.url).port;
    const command = (...args: string[]): Timed => ({ args: [LAUNCHER, ...args], cwd: project, env });
    const times = timePrograms(
      {
        empty: { args: [programs.empty] },
        net: { args: [programs.net, port] },
        http: { args: [programs.http, port] },
        ls: command("ls"),
        send: command("send", "@review", "for the record"),
        peek: command("peek", "@review", "-n", "20"),
      },
      { rounds: quick ? 2 : 5, tries: quick ? 3 : 7 },
    );
    const times_ = (name: "net" | "http"): string => format(median(times[name]) / median(times.empty));
    const floors = `one request over node:net ${times_("net")}, over node:http ${times_("http")}`;
    const form =
      findQuickCommand("ls") === undefined ? "from the sources, module by module" : "put together beforehand";
    return (["ls", "send", "peek"] as const).map((name) => ({
      what: `${name} to an empty program`,
      ratios: times[name].map((time, round) => time / (times.empty[round] ?? Number.NaN)),
      goal: { atMost: 1.6 },
      detail: `${format(median(times[name]))} ms against ${format(median(times.empty))} ms (${floors}; ${form})`,
    }));
  },
};
