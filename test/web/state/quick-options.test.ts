import { expect, test } from "vitest";
import type { FoundView } from "../../../src/contract/reading/search.ts";
import { foundOptions } from "../../../web/src/state/reading/quick-options.ts";

test("[ui.search] the prompt of a question that was asked again is not found as words of the person", () => {
  const message = { id: "a", seq: 1, space: "rita", from: "user", kind: "message", run: null, content: "why so slow" };
  const found = {
    agents: [],
    workspaces: [],
    documents: [],
    runs: [],
    messages: [message, { ...message, id: "b", seq: 2, run: "run_1", content: "<inbox> why so slow </inbox>" }],
    next: null,
  } as unknown as FoundView;
  expect(foundOptions("slow", found).map(({ key }) => key)).toEqual(["a"]);
});
