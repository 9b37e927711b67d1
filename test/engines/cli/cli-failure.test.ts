import { describe, expect, it } from "vitest";
import { failureOfExit, failureOfMessage } from "../../../src/engines/cli/cli-failure.ts";

const NOW = Date.UTC(2026, 10, 15, 23, 0, 0);
const options = { login: "Log in with: plain login", nowMs: NOW };

describe("what a command line says went wrong", () => {
  it.each([
    ["You've hit your usage limit. Try again in 3 hours.", { class: "quota", resetAtMs: NOW + 3 * 3_600_000 }],
    ["usage limit reached until 2026-11-16T01:00:00Z", { class: "quota", resetAtMs: Date.UTC(2026, 10, 16, 1) }],
    ["Your credit balance is too low.", { class: "quota" }],
    ["unexpected status 401 Unauthorized", { class: "permanent" }],
    ["Invalid API key", { class: "permanent" }],
    ["Your access token could not be refreshed. Please log in again.", { class: "permanent" }],
    ["This model's maximum context length is 1000", { class: "permanent", sessionUnusable: true }],
    ["The model `x` does not exist", { class: "permanent" }],
    ["error: unknown option '--strict-mcp-config'", { class: "permanent" }],
    ["API Error: 400 messages: at least one message is required", { class: "permanent", sessionUnusable: true }],
    ["Rate limit reached. Please try again in 17s.", { class: "transient", retryAfterMs: 17_000 }],
    ["Please try again in 350ms.", { class: "transient", retryAfterMs: 350 }],
    ["stream disconnected before completion", { class: "transient" }],
    ["500 Internal Server Error", { class: "transient" }],
    ["the port 4010 is closed", { class: "transient" }],
  ])("is told apart: %s", (message, expected) => {
    expect(failureOfMessage(message, options)).toMatchObject(expected);
  });

  it("is the last line of its errors, when it ends without another word", () => {
    const exit = (code: number | null, stderr: string) =>
      failureOfExit({ code, stderr, nowMs: NOW }, undefined, options.login);
    expect(exit(1, "WARNING: old\nError: Not logged in\n")).toMatchObject({ class: "permanent" });
    expect(exit(1, "Segmentation fault\n")).toMatchObject({ class: "crash" });
    expect(exit(0, "Error: Not logged in\n")).toMatchObject({ class: "crash" });
    expect(exit(null, "")).toMatchObject({ class: "crash", message: "It was killed without a result" });
  });
});
