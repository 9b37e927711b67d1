/** A scripted team with something of everything the web page shows: what is said to it decides what happens. */
export const HOSTILE = [
  "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>",
  "[click me](javascript:document.title='owned') [data](data:text/html,hello) <a href=\"https://evil.example\">here</a>",
  "\u001b[31mred\u001b[0m \u202etxet desrever\u202c zero\u200bwidth",
  "`<b>code</b>` **<i>strong</i>** https://example.com/?q=<script> [shown](https://example.com/there)",
].join("\n");

function agent(name: string, role: string, more = ""): Record<string, string> {
  return {
    [`.agents/${name}.yaml`]: `name: ${name}
backend: mock
model: scripts/${name}.yaml
prompt: { system: You are ${name}. }
soul: { role: ${role}, principles: [Show the input that breaks it, Bugs first] }
${more}`,
  };
}

export const PAGE_TEAM: Readonly<Record<string, string>> = {
  ...agent("rita", "reviewer", "tools: [full]\n"),
  ...agent("cody", "coder", "tools: [bash, channel_peek]\npermissions: { mode: host }\n"),
  ...agent("sam", "scribe", "schedule: { wakeup: 1h, prompt: Anything to write down? }\n"),
  ".agents/rita/memory/facts.yaml": "loop-bug: The loop of average.js ran one step too far.\nstyle: tabs\n",
  ".agents/rita/notes/2026-01-31-first-look.md": "# First look\n\nThe tests are **thin**.\n",
  ".agents/rita/todo/index.md": "- [ ] read the tests\n- [x] say hello\n",
  ".workflows/review.yaml": `name: review
agents:
  rita: { ref: rita }
  cody: { ref: cody }
  sam: { ref: sam }
  helper: { backend: mock, prompt: { system: You help. } }
workspace: { documentOwner: sam }
`,
  ".workflows/tests.yaml": `name: tests
agents:
  cody: { ref: cody }
params:
  package: { description: What to test, required: true }
  runs: { type: number, default: 3, description: How often }
  way: { choices: [fast, slow], default: fast }
setup:
  - shell: printf '%s %s %s' \${{ params.package }} \${{ params.runs }} \${{ params.way }} > asked.txt
`,
  "scripts/rita.yaml": `
- when: look at it
  steps:
    - { call: { tool: channel_peek, args: { limit: 3 } } }
    - say: |-
        Found one. The loop goes on while \`i <= numbers.length\`, so it reads **one element too many**:

        \`\`\`js
        for (let i = 0; i <= numbers.length; i++) total += numbers[i];
        \`\`\`

        - \`average([1, 2])\` is NaN
        - \`average([])\` is NaN, too

        @cody please fix it. @sam please note it.
      pace: 15ms
- when: let us vote
  steps:
    - call:
        tool: proposal_create
        args: { type: decision, title: Ship it today?, options: [ship it, wait], voters: [rita, user], timeout: 30m }
        as: ballot
    - call: { tool: proposal_vote, args: { id: "{{ ballot.id }}", option: ship it, reason: The fix is in. } }
    - { say: "I opened a vote." }
- when: suggest something
  steps:
    - call:
        tool: team_doc_suggest
        args: { content: "- tests are thin\\n", way: append, note: For the next time. }
    - { say: "I suggested it." }
- when: what did you learn
  steps:
    - call:
        tool: soul_suggest
        args: { observation: "I found the bug only by running the code.", change: { trait: principles, add: Run it before you judge } }
    - call: { tool: memory_store, args: { key: tests-thin, content: The tests of average.js never try an empty list. } }
    - call: { tool: ask_agent, args: { agent: sam, query: What is written down about average.js? } }
    - { say: "Noted for myself." }
- when: take your time
  steps:
    - { say: "Thinking about it for quite a while, word by word by word by word by word.", pace: 400ms }
`,
  "scripts/cody.yaml": `
- when: please fix
  steps:
    - { call: { tool: channel_peek, args: { limit: 2 } } }
    - { say: "Fixed: the bound is \`<\` now. @rita please check.", pace: 10ms }
- when: run the tests
  steps:
    - { call: { tool: bash, args: { command: "printf made >> made.txt" } } }
    - { say: "The tests ran: {{ result }}" }
- when: break
  steps:
    - { fail: permanent, message: "The model shiny-9 does not exist." }
    - { say: "Now it works." }
- when: say something hostile
  steps:
    - say: ${JSON.stringify(HOSTILE)}
`,
  "scripts/sam.yaml": `
- when: note it
  steps:
    - call: { tool: team_doc_write, args: { content: "# Review of average.js\\n\\n- Off by one: the loop reads one element too many.\\n" } }
    - { say: "" }
- when: write something hostile
  steps:
    - call: { tool: team_doc_create, args: { file: hostile.md, content: ${JSON.stringify(`# <script>document.title='owned'</script>\n\n${HOSTILE}\n`)} } }
    - { say: "Written." }
`,
};
