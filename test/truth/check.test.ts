import { describe, expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";
import { agentFile } from "../support/team/team.ts";

interface Problem {
  readonly severity: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly hint?: string;
}

const MOCK = "backend: mock\nprompt: { system: Hi }\n";
const PAIR = "agents: { alice: alice, bob: bob }\n";
const FILES = {
  ...agentFile("alice"),
  ...agentFile("bob"),
  ".agents/model.yaml": "model: nonsense\nprompt: { system: Hi }\n",
  ".agents/prefix.yaml": "model: antropic/claude\nprompt: { system: Hi }\n",
  ".agents/provider.yaml": "model: x\nprovider: opnai\nprompt: { system: Hi }\n",
  ".agents/tool.yaml": "model: auto\ntools: [bsah]\nprompt: { system: Hi }\n",
  ".agents/program.yaml": "backend: claude\nprompt: { system: Hi }\n",
  ".agents/renamed.yaml": `name: robert\n${MOCK}`,
  ".agents/renamed/memory/learned.yaml": "k: v\n",
  ".agents/alice/memory/one.yaml": "likes: [\n",
  ".agents/alice/memory/two.yaml": "team: red\n",
  ".agents/alice/memory/three.yaml": "team: blue\n",
  ".workflows/stranger.yaml": `${PAIR}kickoff: "@alcie, please begin"\n`,
  ".workflows/nobody.yaml": `${PAIR}kickoff: Please begin\n`,
  ".workflows/sound.yaml": `${PAIR}kickoff: "@alice, write to \\\\@somebody at a@b.c"\n`,
  ".workflows/again.yaml": "agents:\n  alice: { backend: mock, prompt: { system: Another } }\n",
  ".workflows/inline.yaml": "agents:\n  x: { model: nonsense, prompt: { system: Hi } }\n",
  ".workflows/override.yaml": "agents:\n  program: { ref: program, tools: [bash, no_action] }\n",
  ".workflows/ref.yaml": "agents: { tool: tool }\n",
  "../outside.yaml": "agents: { alice: alice\n",
};

describe("check", () => {
  it("[check.names] [check.kickoff] [check.shadow] [check.broken-ref] [check.memory] finds at check time what would fail at the first message", async () => {
    using folder = commandFolder(Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`p/${path}`, text])));
    const { out, exit } = await folder.run(["check", "--json"], { cwd: "p" });
    expect(exit).toBe(2);
    const { problems } = JSON.parse(out) as { readonly problems: readonly Problem[] };
    const found = problems.map(({ severity, file, line, message, hint = "" }) =>
      [severity, `${file}:${line}`, message, hint].join(" | "),
    );
    const expected = [
      ["error | .agents/model.yaml:1", 'The model "nonsense" names no provider.'],
      ["error | .agents/prefix.yaml:1", 'There is no provider "antropic".'],
      ["error | .agents/provider.yaml:2", 'There is no provider "opnai".'],
      ["error | .agents/tool.yaml:2", 'There is no tool "bsah".'],
      ["error | .workflows/inline.yaml:2", 'The model "nonsense" names no provider.'],
      ["error | .workflows/override.yaml:2", "claude has tools of its own"],
      [
        "error | .workflows/stranger.yaml:2",
        'mentions @alcie, who does not take part in this workflow. | Did you mean "alice"?',
      ],
      ["warning | .workflows/nobody.yaml:2", "mentions nobody"],
      ["warning | .workflows/again.yaml:2", "alice: {ref: alice}"],
      ["error | .workflows/ref.yaml:1", "Its file has a mistake: .agents/tool.yaml:2"],
      ["error | .agents/alice/memory/one.yaml:2", "not known to the agent"],
      [
        "warning | .agents/alice/memory/two.yaml:1",
        'The memory "team" is also written in .agents/alice/memory/three.yaml',
      ],
      ["warning | .agents/renamed.yaml:1", "mv .agents/renamed .agents/robert"],
    ] as const;
    for (const [start, part] of expected) {
      expect(found.filter((each) => each.startsWith(`${start} |`)).join("\n"), start).toContain(part);
    }
    expect(found, found.join("\n")).toHaveLength(expected.length);
    expect((await folder.run(["doctor", "--json"], { cwd: "p" })).out).toContain(".agents/alice/memory/one.yaml:2");
  });

  it("[check.file] checks the file it is given, and says when there is none", async () => {
    using folder = commandFolder({ "broken.yaml": "agents: { alice: nobody\n" });
    const [broken, none] = await Promise.all([
      folder.run(["check", "broken.yaml"]),
      folder.run(["check", "none.yaml"]),
    ]);
    expect(broken).toMatchObject({ exit: 2, err: expect.stringMatching(/^broken\.yaml:2:1: /m) });
    expect(none).toMatchObject({ exit: 2, err: expect.stringMatching(/There is no file or folder .*none\.yaml/) });
  });
});

it("[check.names] names a worktree that a virtual shell could not write into, and a shell that the engine does not have", async () => {
  using folder = commandFolder({
    ".agents/vera.yaml": `worktree: true\n${MOCK}`,
    ".agents/pia.yaml": `worktree: true\npermissions: { mode: project }\n${MOCK}`,
    ".agents/carl.yaml": "backend: claude\npermissions: { mode: project }\nprompt: { system: Hi }\n",
    ".workflows/w.yaml": "agents:\n  ivy: { backend: mock, worktree: true, prompt: { system: Hi } }\n",
  });
  const { out } = await folder.run(["check", "--json"]);
  const { problems } = JSON.parse(out) as { problems: Problem[] };
  expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`).toSorted()).toEqual([
    '.agents/carl.yaml:2 carl has "mode: project", but claude has a shell and file tools of its own.',
    ".agents/vera.yaml:1 vera has a worktree, but its shell is virtual and writes no file.",
    ".workflows/w.yaml:2 ivy has a worktree, but its shell is virtual and writes no file.",
  ]);
});
