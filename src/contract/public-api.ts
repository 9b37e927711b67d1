/** `agent-worker/contract`: the shapes on the wire, as schemas and as types, for clients in any language or framework. */
export * from "./agent.ts";
export * from "./agent-tools.ts";
export * from "./approval.ts";
export * from "./ballot.ts";
export * from "./discovery.ts";
export * from "./document.ts";
export * from "./errand.ts";
export * from "./errors.ts";
export * from "./feedback.ts";
export * from "./health.ts";
export * from "./message.ts";
export * from "./personal-context.ts";
export * from "./resource.ts";
export * from "./routes.ts";
export * from "./schedule.ts";
export * from "./usage.ts";
export * from "./workspace.ts";
