/** What a model calls in its first three steps, where a bench wants one that reads, one that sets and one that stores. */
export const MIXED_CALLS: readonly { readonly tool: string; readonly args: object }[] = [
  { tool: "channel_read", args: { limit: 10 } },
  { tool: "my_status_set", args: { task: "looking" } },
  { tool: "resource_create", args: { content: "What was found.\n".repeat(50) } },
];
