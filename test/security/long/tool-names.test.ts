import { describe, expect } from "vitest";
import { commandFolder } from "../../support/daemon/installed-command.ts";
import { attack } from "../../support/security/attack.ts";

const AGENT = "name: x\nbackend: mock\nprompt: { system: Work. }\n";
const WITH_SERVER = `${AGENT}mcp_servers: { s: { command: node } }\n`;
const CLAUDE = AGENT.replace("mock", "claude");

interface Slip {
  readonly tries: string;
  readonly files: Readonly<Record<string, string>>;
  /** Where the problem is, as `check` prints it, and what it says. */
  readonly at: string;
  readonly says: RegExp;
}

const SLIPS: readonly Slip[] = [
  {
    tries: "a misspelt tool under deny denies nothing",
    files: { ".agents/x.yaml": `${AGENT}permissions:\n  deny: [bash, soul_sugest]\n` },
    at: ".agents/x.yaml:5:16",
    says: /There is no tool "soul_sugest".*Did you mean "soul_suggest"\?/s,
  },
  {
    tries: "a misspelt tool under ask asks nobody",
    files: { ".agents/x.yaml": `${AGENT}permissions:\n  ask:\n    - write_fil(src/**)\n` },
    at: ".agents/x.yaml:6:7",
    says: /There is no tool "write_fil".*Did you mean "write_file"\?/s,
  },
  {
    tries: "a pattern under deny matches no tool there is",
    files: { ".agents/x.yaml": `${AGENT}permissions: { deny: ["souls_*"] }\n` },
    at: ".agents/x.yaml:4:23",
    says: /There is no tool "souls_\*"/,
  },
  {
    tries: "a misspelt tool under tools is found at the first message only",
    files: { ".agents/x.yaml": `${AGENT}tools: [channel_send, bsah]\n` },
    at: ".agents/x.yaml:4:23",
    says: /There is no tool "bsah".*Did you mean "bash"\?/s,
  },
  {
    tries: "a tool of the shell is chosen on a program that has its own",
    files: { ".agents/x.yaml": `${CLAUDE}tools: [bash]\n` },
    at: ".agents/x.yaml:4:9",
    says: /claude has tools of its own.*permissions/s,
  },
  {
    tries: "a misspelt tool of the team hides among the tools of a program",
    files: { ".agents/x.yaml": `${CLAUDE}permissions: { deny: [WebFetch, soul_sugest] }\n` },
    at: ".agents/x.yaml:4:33",
    says: /no tool "soul_sugest" of the team.*Did you mean "soul_suggest"\?/s,
  },
  {
    tries: "a misspelt tool of the team hides among the tools of an MCP server",
    files: { ".agents/x.yaml": `${WITH_SERVER}permissions: { deny: ["github_*", chanel_send] }\n` },
    at: ".agents/x.yaml:5:35",
    says: /Did you mean "channel_send"\?/,
  },
  {
    tries: "a program is to ask before it uses a tool of the team, and cannot",
    files: { ".agents/x.yaml": `${CLAUDE}permissions: { ask: [proposal_create] }\n` },
    at: ".agents/x.yaml:4:22",
    says: /An agent on claude cannot wait for a person before it uses proposal_create.*deny/s,
  },
  {
    tries: "a tool of the team is denied for one subject, which it does not have",
    files: { ".agents/x.yaml": `${AGENT}permissions: { deny: ["channel_send(bob)"] }\n` },
    at: ".agents/x.yaml:4:23",
    says: /channel_send is allowed, asked or denied as a whole/,
  },
  {
    tries: "a workflow overrides permissions with a misspelt tool",
    files: {
      ".agents/x.yaml": AGENT,
      ".workflows/w.yaml": "name: w\nagents:\n  x:\n    ref: x\n    permissions: { deny: [soul_sugest] }\n",
    },
    at: ".workflows/w.yaml:5:27",
    says: /Did you mean "soul_suggest"\?/,
  },
  {
    tries: "a workflow overrides tools with a misspelt one",
    files: { ".agents/x.yaml": AGENT, ".workflows/w.yaml": "name: w\nagents: { x: { ref: x, tools: [todo_lst] } }\n" },
    at: ".workflows/w.yaml:2:32",
    says: /There is no tool "todo_lst".*Did you mean "todo_list"\?/s,
  },
  {
    tries: "an agent that is written in a workflow misspells a tool",
    files: {
      ".workflows/w.yaml":
        "name: w\nagents:\n  y: { backend: mock, prompt: { system: Work. }, permissions: { deny: [rul_add] } }\n",
    },
    at: ".workflows/w.yaml:3:72",
    says: /Did you mean "rule_add"\?/,
  },
  {
    tries: "the defaults of a project deny a misspelt tool",
    files: { "moniro.yaml": "defaults:\n  permissions: { deny: [memory_stor] }\n", ".agents/x.yaml": AGENT },
    at: "moniro.yaml:2:25",
    says: /Did you mean "memory_store"\?/,
  },
];

describe("names of tools in definitions", () => {
  for (const { tries, files, at, says } of SLIPS) {
    attack(`${tries} [grants.names]`, async () => {
      using folder = commandFolder(files);
      const { exit, err } = await folder.run(["check"]);
      expect(err).toContain(at);
      expect(err).toMatch(says);
      expect(exit).toBe(2);
    });
  }

  attack(
    "names that mean something are refused as well, so that nobody reads the problems [grants.names]",
    async () => {
      using folder = commandFolder({
        ".agents/a.yaml": `${AGENT.replace("x", "a")}tools: ["*", rule_add, "team_doc_*", skill_read]\npermissions: { deny: ["*_write", "bash(rm *)"], ask: [soul_suggest, "write_file(src/**)"] }\n`,
        ".agents/b.yaml": `${CLAUDE.replace("x", "b")}tools: [channel_send]\npermissions: { allow: ["Bash(git *)", WebFetch, "mcp__github__*"], deny: [soul_suggest] }\n`,
        ".agents/c.yaml": `${WITH_SERVER.replace("x", "c")}permissions: { allow: [search_issues], deny: ["github_*"] }\n`,
      });
      expect(await folder.run(["check"])).toMatchObject({ exit: 0, err: "" });
    },
  );
});
