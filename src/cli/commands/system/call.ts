import type { Client } from "../../../client/client.ts";
import { connectToDaemon } from "../../../client/connect.ts";
import type { OwnProposalView } from "../../../contract/proposals/own-proposals.ts";
import type { OperationName } from "../../../contract/operations.ts";
import { routes } from "../../../contract/routes.gen.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { hintForUnknown } from "../../../kernel/closest.ts";
import { Fault } from "../../../kernel/fault.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { Refused } from "../../refused.ts";

/** Calls any operation of the contract from the shell. */
export const call = defineCommand({
  about: [
    "Calls an operation of the project by name, as the person you are, or a proposal that the project defines in",
    ".agents/proposals/. Without a name it lists them.",
  ].join("\n"),
  words: ["[OPERATION]", "[JSON]"],
  examples: [
    `agent-worker call send-message '{"to": "alice", "message": "hello"}'`,
    `agent-worker call merge_gate '{"branch": "main", "target": "@review"}'`,
    "echo '{}' | agent-worker call list-agents -",
  ],

  async run(invocation) {
    const { words, terminal, json } = invocation;
    const [name, text] = words;
    if (name === undefined) {
      const listed = (await import("../../../contract/operations.ts")).operations.map(({ name, summary }) => ({
        name,
        summary,
      }));
      const own = await listOwn(invocation);
      const lines = listed.map((each) => `${each.name}\n  ${each.summary}\n`);
      if (own.length > 0) lines.push("\nProposals of this project:\n\n");
      lines.push(
        ...own.map(
          ({ name: each, summary, file, access }) => `${each}\n  ${summary} (${file ?? "given"}; ${access})\n`,
        ),
      );
      return invocation.print([...listed, ...own], () => lines.join(""));
    }
    const input = parseInput(await textArgument(text, terminal));
    const value = isOperation(name)
      ? await invocation.call(name, input as Parameters<Client["call"]>[1])
      : await makeOwn(invocation, name, input);
    terminal.print(`${JSON.stringify(value, null, json ? 0 : 2)}\n`);
    return EXIT.ok;
  },
});

/** Those that can be listed: without a daemon, or in a project at rest, there are none. */
async function listOwn(invocation: Invocation): Promise<readonly OwnProposalView[]> {
  try {
    using client = await connectToDaemon({ env: invocation.terminal.env, projectDir: invocation.projectDir() });
    const listed = await client.call("list-own-proposals", {});
    if (!listed.ok) return [];
    for (const { file, line, message } of listed.value.problems) {
      if (!invocation.json) invocation.terminal.note(`${file}:${line}: ${message}\n`);
    }
    return listed.value.proposals;
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

async function makeOwn(invocation: Invocation, name: string, input: CallInput): Promise<unknown> {
  const made = await (await invocation.client()).propose(name, input);
  if (made.ok) return made.value;
  if (made.error.code !== "not_found" || !made.error.message.startsWith("This project defines no proposal")) {
    throw new Refused(made.error);
  }
  const names = [...routes.map(({ operation }) => operation), ...(await listOwn(invocation)).map((each) => each.name)];
  const hint = hintForUnknown(name, names, "operations");
  throw new Refused({ code: "not_found", message: `There is no operation "${name}".`, hint });
}

function isOperation(name: string): name is OperationName {
  return routes.some(({ operation }) => operation === name);
}

/** The operation validates the input. */
type CallInput = Readonly<Record<string, unknown>>;

function parseInput(text: string | undefined): CallInput {
  if (text === undefined) return {};
  let input: unknown;
  try {
    input = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new UsageError(`JSON is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new UsageError("JSON must be an object: the input of the operation.");
  }
  return input as CallInput;
}
