/**
 * Where each operation is found over HTTP: the one table behind the server's routes, the OpenAPI document and the
 * client, so that none of them can disagree. Parts of a path that begin with ":" are fields of the operation's input;
 * the other fields travel in the query of a GET or DELETE and in the JSON body of a POST or PUT.
 */
export interface Route {
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Carries texts of any size: its body may be larger than others'. */
  readonly large?: true;
}

export const routes: readonly Route[] = [
  { operation: "send-message", method: "POST", path: "/send", large: true },
  { operation: "peek-channel", method: "GET", path: "/channel" },
  { operation: "read-channel", method: "POST", path: "/channel/read" },
  { operation: "read-inbox", method: "GET", path: "/inbox" },
  { operation: "ack-deliveries", method: "POST", path: "/inbox/ack" },
  { operation: "list-deliveries", method: "GET", path: "/deliveries" },

  { operation: "list-workspaces", method: "GET", path: "/workflows" },
  { operation: "list-workflows", method: "GET", path: "/workflows/files" },
  { operation: "open-workspace", method: "POST", path: "/workflows/open" },
  { operation: "show-workspace", method: "GET", path: "/workflows/:target" },
  { operation: "close-workspace", method: "DELETE", path: "/workflows/:target" },
  { operation: "list-members", method: "GET", path: "/members" },
  { operation: "set-status", method: "PUT", path: "/members/me/status" },

  { operation: "list-agents", method: "GET", path: "/agents" },
  { operation: "create-agent", method: "POST", path: "/agents", large: true },
  { operation: "create-ephemeral-agent", method: "POST", path: "/ephemeral-agents", large: true },
  { operation: "promote-agent", method: "POST", path: "/agents/:from/promote" },
  { operation: "show-agent", method: "GET", path: "/agents/:name" },
  { operation: "delete-agent", method: "DELETE", path: "/agents/:name" },
  { operation: "list-tools", method: "GET", path: "/agents/:agent/tools" },

  { operation: "list-memory", method: "GET", path: "/agents/:agent/memory" },
  { operation: "search-memory", method: "GET", path: "/agents/:agent/memory/search" },
  { operation: "get-memory", method: "GET", path: "/agents/:agent/memory/:key" },
  { operation: "set-memory", method: "PUT", path: "/agents/:agent/memory/:key", large: true },
  { operation: "forget-memory", method: "DELETE", path: "/agents/:agent/memory/:key" },
  { operation: "promote-memory", method: "POST", path: "/agents/:agent/memory/:key/promote" },
  { operation: "archive-memory", method: "POST", path: "/agents/:agent/archive" },
  { operation: "ask-agent", method: "POST", path: "/agents/:agent/ask" },
  { operation: "list-questions", method: "GET", path: "/agents/:agent/questions" },
  { operation: "list-notes", method: "GET", path: "/agents/:agent/notes" },
  { operation: "read-note", method: "GET", path: "/agents/:agent/notes/:name" },
  { operation: "add-note", method: "POST", path: "/agents/:agent/notes", large: true },
  { operation: "list-todos", method: "GET", path: "/agents/:agent/todos" },
  { operation: "add-todo", method: "POST", path: "/agents/:agent/todos" },
  { operation: "finish-todo", method: "POST", path: "/agents/:agent/todos/:number/done" },
  { operation: "show-soul", method: "GET", path: "/agents/:agent/soul" },
  { operation: "list-soul-versions", method: "GET", path: "/agents/:agent/soul/history" },
  { operation: "suggest-soul", method: "POST", path: "/agents/:agent/soul/proposals" },
  { operation: "observe-soul", method: "POST", path: "/agents/:agent/soul/observe" },
  { operation: "roll-back-soul", method: "POST", path: "/agents/:agent/soul/rollback" },
  { operation: "list-soul-proposals", method: "GET", path: "/soul-proposals" },
  { operation: "approve-soul", method: "POST", path: "/soul-proposals/:id/approve" },
  { operation: "reject-soul", method: "POST", path: "/soul-proposals/:id/reject" },
  { operation: "read-conversation", method: "GET", path: "/agents/:agent/conversation" },
  { operation: "clear-conversation", method: "DELETE", path: "/agents/:agent/conversation" },

  { operation: "list-documents", method: "GET", path: "/documents" },
  { operation: "create-document", method: "POST", path: "/documents", large: true },
  { operation: "set-document-owner", method: "PUT", path: "/documents-owner" },
  { operation: "read-document", method: "GET", path: "/documents/:file" },
  { operation: "write-document", method: "PUT", path: "/documents/:file", large: true },
  { operation: "append-document", method: "POST", path: "/documents/:file/append", large: true },
  { operation: "list-suggestions", method: "GET", path: "/suggestions" },
  { operation: "suggest-document", method: "POST", path: "/suggestions", large: true },
  { operation: "accept-suggestion", method: "POST", path: "/suggestions/:id/accept" },
  { operation: "reject-suggestion", method: "POST", path: "/suggestions/:id/reject" },

  { operation: "create-resource", method: "POST", path: "/resources", large: true },
  { operation: "read-resource", method: "GET", path: "/resources/:id" },

  { operation: "list-ballots", method: "GET", path: "/proposals" },
  { operation: "create-ballot", method: "POST", path: "/proposals" },
  { operation: "show-ballot", method: "GET", path: "/proposals/:id" },
  { operation: "cast-vote", method: "POST", path: "/proposals/:id/votes" },
  { operation: "cancel-ballot", method: "DELETE", path: "/proposals/:id" },

  { operation: "list-rules", method: "GET", path: "/rules" },
  { operation: "add-rule", method: "POST", path: "/rules" },
  { operation: "remove-rule", method: "DELETE", path: "/rules/:id" },

  { operation: "list-approvals", method: "GET", path: "/approvals" },
  { operation: "approve", method: "POST", path: "/approvals/:id/approve" },
  { operation: "deny", method: "POST", path: "/approvals/:id/deny" },

  { operation: "list-schedules", method: "GET", path: "/schedules" },
  { operation: "set-schedule", method: "PUT", path: "/schedules/:target" },
  { operation: "clear-schedule", method: "DELETE", path: "/schedules/:target" },

  { operation: "list-dead-letters", method: "GET", path: "/dead" },
  { operation: "retry-dead-letter", method: "POST", path: "/dead/:id/retry" },
  { operation: "drop-dead-letter", method: "DELETE", path: "/dead/:id" },

  { operation: "list-feedback", method: "GET", path: "/feedback" },
  { operation: "submit-feedback", method: "POST", path: "/feedback" },

  { operation: "list-runs", method: "GET", path: "/runs" },
  { operation: "show-run", method: "GET", path: "/runs/:id" },

  { operation: "show-usage", method: "GET", path: "/stats" },
  { operation: "show-run-usage", method: "GET", path: "/stats/run" },
];

/**
 * The header that names the project a request is about, by the absolute path of its folder, percent-encoded. Absent: the
 * daemon's first project.
 */
export const PROJECT_HEADER = "x-agent-worker-project";

/** Every answer names the version of the daemon that gave it. */
export const VERSION_HEADER = "x-agent-worker-version";

/**
 * With a nonce in the first, `GET /health` answers in the second with the HMAC-SHA-256 of it under the person's token,
 * in hexadecimal: so a caller knows that it speaks to its daemon before it sends that token.
 */
export const CHALLENGE_HEADER = "x-agent-worker-challenge";
export const PROOF_HEADER = "x-agent-worker-proof";

/** The code by which a page asks for a token of its own: see `contract/page.ts`. */
export const CODE_HEADER = "x-agent-worker-code";
