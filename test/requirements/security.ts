import type { Requirement } from "./requirement.ts";

/** What holds when somebody tries to harm the person who uses agent-worker. */
export const security: readonly Requirement[] = [
  {
    id: "trust.rests",
    source: ["proof", "surface"],
    behaviour: "A project that nobody trusted runs nothing, connects to nothing and reads no variable.",
    faces: ["cli"],
  },
  {
    id: "trust.exit",
    source: ["proof", "surface"],
    behaviour: "In a script, work in a project that nobody trusted is refused with exit code 3 and the option to type.",
    faces: ["cli"],
  },
  {
    id: "trust.asks",
    source: ["proof", "surface"],
    behaviour: "On a terminal the first command that acts shows what the project can do and asks once, with one key.",
    faces: ["cli"],
  },
  {
    id: "trust.page",
    source: ["proof", "surface"],
    behaviour: "The page says that a project or an agent rests, shows what it could do, and takes the consent.",
    faces: ["ui"],
  },
  {
    id: "trust.bind",
    source: ["proof", "surface"],
    behaviour: "No folder of a workspace is one in which other programs obey what is written.",
    faces: ["cli"],
  },
  {
    id: "trust.own",
    source: ["proof", "surface"],
    behaviour: "Projects made by init and demo, and agents made or edited with agent-worker, are not asked about.",
    faces: ["cli"],
  },
  {
    id: "trust.keeps",
    source: ["proof", "surface"],
    behaviour:
      "Consent lets what rested go on: no step is broken off, nothing in memory ends, and a new agent needs no consent to defaults that were seen.",
    faces: ["cli"],
  },
  {
    id: "trust.shown",
    source: ["proof", "surface"],
    behaviour: "Consent shows commands, servers, addresses, variables, permissions, setup lines and schedules.",
    faces: ["cli"],
  },
  {
    id: "trust.bound",
    source: ["proof", "surface"],
    behaviour: "Consent is for what was shown: a project that changed meanwhile is not trusted.",
    faces: ["http"],
  },
  {
    id: "trust.widened",
    source: ["proof", "surface"],
    behaviour: "An agent or workflow that can do more than a person allowed rests until the difference was seen.",
    faces: ["cli"],
  },
  {
    id: "trust.free",
    source: ["proof", "surface"],
    behaviour: "Prompts, models, souls, schedules and narrower permissions change without a question.",
    faces: ["cli"],
  },
  {
    id: "trust.store",
    source: ["proof", "surface"],
    behaviour: "A database that this home did not make is shown and not acted on.",
    faces: ["cli"],
  },
  {
    id: "sessions.two-halves",
    source: ["proof"],
    behaviour:
      "A browser's session needs its cookie and a proof of the key of its page's origin; neither is enough for a program on another port, or on the daemon's port after it.",
    faces: ["http", "ui"],
  },
  {
    id: "sessions.cookie",
    source: ["proof"],
    behaviour:
      "The secret of a session is in a cookie that no script reads and no other site sends, named after the port, and another program's cookie does not hide it.",
    faces: ["http", "ui"],
  },
  {
    id: "sessions.revoked-streams",
    source: ["proof"],
    behaviour: "A session that is signed out, revoked or over ends its open streams at once.",
    faces: ["http", "cli"],
  },
  {
    id: "sessions.survive",
    source: ["proof"],
    behaviour:
      "A session is good for new tabs and bookmarks and survives the daemon; an ended one does not come back, and all end when another program has the port.",
    faces: ["http", "ui"],
  },
  {
    id: "sessions.stored",
    source: ["proof"],
    behaviour:
      "What is stored of sessions is private, signs nobody in by itself, and stops no daemon when it is broken.",
    faces: ["file"],
  },
  {
    id: "sessions.listed",
    source: ["proof"],
    behaviour: "The browsers that are signed in are listed, one session each, and can be signed out one by one or all.",
    faces: ["cli", "http"],
  },
  {
    id: "connections.one-host",
    source: ["proof"],
    behaviour:
      "A request that has a header twice by which something is decided, such as Host, is refused before routing.",
    faces: ["http"],
  },
  {
    id: "connections.flood",
    source: ["proof"],
    behaviour: "Any number of connections without a token keeps neither the owner's commands nor open streams out.",
    faces: ["http", "cli"],
  },
  {
    id: "connections.burst",
    source: ["proof"],
    behaviour:
      "A thousand requests at once with a valid token are all served; one that cannot be is told so with 503 and Retry-After, and nothing of it has happened.",
    faces: ["http"],
  },
  {
    id: "ui.project-switch",
    source: ["proof", "surface"],
    behaviour: "The page never shows or sends anything of one project under another: messages, drafts, late answers.",
    faces: ["ui"],
  },
  {
    id: "ui.decision-clicks",
    source: ["proof", "surface"],
    behaviour:
      "A click on a decision never decides another one than the person saw under the pointer. A second question is not answered by a double click, nor before it could be read.",
    faces: ["ui"],
  },
  {
    id: "workspace.ours",
    source: ["proof", "surface"],
    behaviour:
      "`.workspace` has mode 0700 and every file in it 0600, whoever makes it and whatever the umask; what an older version left wider is narrowed.",
    faces: ["cli", "http"],
  },
  {
    id: "workspace.unsafe",
    source: ["proof", "surface"],
    behaviour:
      "A link, a second hard link, a pipe or a file of another user in the place of a file of `.workspace` is refused by name, and what it leads to is unchanged.",
    faces: ["cli"],
  },
  {
    id: "workspace.lock",
    source: ["proof"],
    behaviour: "A lock that another user has on a file of the store does not shut its owner out.",
    faces: ["http"],
  },
  {
    id: "workspace.doctor",
    source: ["surface"],
    behaviour:
      "`doctor` names the files of `.workspace` and of the home that are not ours alone; `--fix` narrows modes only.",
    faces: ["cli"],
  },
  {
    id: "home.files",
    source: ["proof"],
    behaviour: "The log, the output and the lock of the daemon are never written through a link.",
    faces: ["cli"],
  },
  {
    id: "cache.ours",
    source: ["proof"],
    behaviour:
      "Code from a cache or a bundle runs only when no other user could have written it; caches are made for the user alone.",
    faces: ["cli"],
  },
  {
    id: "child.environment",
    source: ["proof", "surface"],
    behaviour:
      "No definition sets a variable that makes a child process load code, trust or reach another server, or take its login elsewhere.",
    faces: ["cli", "http"],
  },
  {
    id: "private.files",
    source: ["proof", "surface"],
    behaviour: "An agent reads no key files and no personal context of another agent with its shell or its file tools.",
    faces: ["engine"],
  },
  {
    id: "private.obeyed-files",
    source: ["proof", "surface"],
    behaviour: "An agent writes no file that other programs obey.",
    faces: ["engine"],
  },
  {
    id: "permission.no-other-program",
    source: ["proof", "surface"],
    behaviour: "A pattern that allows a command allows no option of it that starts another program.",
    faces: ["engine"],
  },
  {
    id: "grants.one-list",
    source: ["proof", "surface"],
    behaviour:
      "The token of a run may do over HTTP exactly what the tools of the run allow over MCP, and so may its resources and its rules.",
    faces: ["http", "mcp", "cli"],
  },
  {
    id: "grants.deny",
    source: ["proof", "surface"],
    behaviour:
      "A tool that permissions deny is not offered and cannot be called, whoever offers it and on every engine.",
    faces: ["http", "mcp", "engine"],
  },
  {
    id: "grants.tools",
    source: ["proof", "surface"],
    behaviour:
      "`tools` is the whole list of an agent's tools of the team, besides its inbox and silence, also in a workflow's override.",
    faces: ["http", "mcp", "engine"],
  },
  {
    id: "grants.ask",
    source: ["proof", "surface"],
    behaviour:
      "A call of a team's tool that permissions say to ask about is made after a person approved it, and not before.",
    faces: ["engine"],
  },
  {
    id: "grants.names",
    source: ["proof", "surface"],
    behaviour:
      "A name under `tools` or `permissions` that means no tool is an error of `check`, with its place and what may be meant.",
    faces: ["cli"],
  },
  {
    id: "quota.stops",
    source: ["proof", "surface"],
    behaviour:
      "A run that makes messages, documents, ballots, notes, other changes or bytes without end is refused, clearly, and loses nothing.",
    faces: ["http", "engine"],
  },
  {
    id: "quota.one-count",
    source: ["proof", "surface"],
    behaviour: "What a run does over HTTP, MCP and the command counts together.",
    faces: ["http", "mcp", "cli"],
  },
  {
    id: "quota.others",
    source: ["proof", "surface"],
    behaviour: "A run that used up its quota limits neither other agents nor the person.",
    faces: ["http"],
  },
  {
    id: "quota.reply",
    source: ["proof", "surface"],
    behaviour: "A run that used up its quota still answers.",
    faces: ["http"],
  },
  {
    id: "provenance.todos",
    source: ["proof", "surface"],
    behaviour:
      "A todo that an agent adds after reading untrusted content is marked in its file, in prompts and in lists; edits keep the mark.",
    faces: ["file", "cli", "engine"],
  },
  {
    id: "provenance.notes",
    source: ["proof", "surface"],
    behaviour:
      "A note says in its file who wrote it and after reading what; a note that does not say it is untrusted content.",
    faces: ["file", "cli", "engine"],
  },
  {
    id: "provenance.forget",
    source: ["proof", "surface"],
    behaviour: "Forgetting or repeating a memory shows an agent no untrusted content that it has not read.",
    faces: ["engine"],
  },
  {
    id: "provenance.kickoff",
    source: ["proof", "surface"],
    behaviour: "A kickoff that quotes the output of commands or the environment is untrusted content.",
    faces: ["cli", "engine"],
  },
  {
    id: "provenance.rules",
    source: ["proof", "surface"],
    behaviour: "A message of a rule that quotes an event is untrusted content, also when a person wrote the rule.",
    faces: ["cli", "engine"],
  },
  {
    id: "provenance.recall",
    source: ["proof", "surface"],
    behaviour: "Recalling untrusted content marks the run; so does recalling what the agent said after reading it.",
    faces: ["engine"],
  },
  {
    id: "provenance.person",
    source: ["proof", "surface"],
    behaviour:
      "What an agent stores after hearing only its person can be shared: kickoffs, parameters, recall, own notes and todos.",
    faces: ["cli", "engine"],
  },
  {
    id: "text.sections",
    source: ["proof", "surface"],
    behaviour: "No text opens or closes a section of a prompt, however its tag is spelled or hidden.",
    faces: ["engine"],
  },
  {
    id: "text.channel-file",
    source: ["proof", "surface"],
    behaviour: "No message looks like the heading of another message in the channel file.",
    faces: ["file"],
  },
  {
    id: "text.tool-names",
    source: ["proof", "surface"],
    behaviour:
      "A tool of an agent's MCP server that can be confused with one of the daemon is left out, and at most 200 tools of a server are used.",
    faces: ["engine"],
  },
  {
    id: "terminal.text",
    source: ["proof", "surface"],
    behaviour:
      "No text of a provider, an agent or a file controls the terminal: control characters are shown, not obeyed.",
    faces: ["cli"],
  },
  {
    id: "terminal.json",
    source: ["proof", "surface"],
    behaviour: "JSON on standard output holds no C1, bidi or line separator character, and parses to the same value.",
    faces: ["cli"],
  },
  {
    id: "terminal.pipe",
    source: ["proof", "surface"],
    behaviour: "`export` and `resource show` give a file or a pipe the text as it is.",
    faces: ["cli"],
  },
  {
    id: "redaction.shapes",
    source: ["proof", "surface"],
    behaviour: "Keys of well-known services, private keys and named secrets are removed before a message is stored.",
    faces: ["cli"],
  },
  {
    id: "redaction.environment",
    source: ["proof", "surface"],
    behaviour: "Values of variables with a secret's name are removed from six characters on.",
    faces: ["cli"],
  },
  {
    id: "redaction.harmless",
    source: ["proof", "surface"],
    behaviour: "References, placeholders, paths, hashes and UUIDs are stored as they were sent.",
    faces: ["cli"],
  },
  {
    id: "redaction.time",
    source: ["proof", "surface"],
    behaviour: "Redaction takes linear time for every text.",
    faces: ["cli"],
  },
];
