import type { FakeReply, RecordedRequest } from "../engine/fake-model-server/script.ts";

const RESULT_BYTES = 26_000;

/** A project with an agent that may read one file of 26 KB. */
export function agentThatReads(modelUrl: string): Readonly<Record<string, string>> {
  return {
    ".agents/reader.yaml": [
      "name: reader",
      "model: fake-model",
      `provider: { name: anthropic, base_url: "${modelUrl}/v1", api_key: $MODEL_KEY }`,
      "prompt: { system: Read. }",
      "permissions: { mode: host, allow: ['bash(cat *)'] }",
      "max_steps: 200",
      "",
    ].join("\n"),
    "big.txt": `${"a line of the file\n".repeat(RESULT_BYTES / 19)}\n`,
  };
}

/** A model that reads the file in every step but the last, and counts the results that it is given. */
export function longWork(steps: number) {
  let seen = 0;
  return {
    resultsSeen: () => seen,
    script: ({ body }: RecordedRequest): FakeReply => {
      const results = JSON.stringify(body).split('"tool_result"').length - 1;
      seen = Math.max(seen, results);
      if (results >= steps - 1) return { text: "I have read it all." };
      return { toolCalls: [{ name: "bash", args: { command: "cat big.txt" } }] };
    },
  };
}
