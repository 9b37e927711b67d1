import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { openProject, type Project, type ProjectOptions } from "../../../src/daemon/open-project.ts";
import type { RecordedEvent } from "../../../src/domain/event.ts";
import type { Caller } from "../../../src/kernel/caller.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import type { Proposal, Query } from "../../../src/kernel/proposal.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import type { Refusal } from "../../../src/kernel/refusal.ts";
import type { Operation, ProductTypes } from "../../../src/operations/core/define.ts";
import { manualClock, type ManualClock } from "../manual-clock.ts";
import { refused, value } from "../result.ts";

/** A real project in a folder of its own, on a clock that stands still. Closed and deleted when it leaves scope. */
export interface TestProject extends Project {
  readonly clock: ManualClock;
  /** Everything published so far, in order. */
  readonly published: readonly RecordedEvent[];
  /** Mailboxes woken so far, in order. */
  readonly woken: readonly string[];
  /** Writes a file of the project; definitions are read again with `definitions.refresh()`. */
  write(path: string, text: string): void;
  /** Closes the project and opens the same folder again: what a restart of the daemon does. */
  reopen(): Promise<TestProject>;
}

export interface TestProjectOptions extends Partial<Pick<ProjectOptions, "random" | "redactor" | "log" | "proposals">> {
  /** Path inside the project to content. */
  readonly files?: Readonly<Record<string, string>>;
  readonly clock?: ManualClock;
  readonly wake?: (mailboxes: readonly string[]) => void;
}

export async function openTestProject(options: TestProjectOptions = {}): Promise<TestProject> {
  const dir = mkdtempSync(join(tmpdir(), "project-"));
  try {
    return await openAt(dir, options);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

async function openAt(dir: string, options: TestProjectOptions): Promise<TestProject> {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  for (const [path, text] of Object.entries(options.files ?? {})) write(path, text);
  const clock = options.clock ?? manualClock();
  const random = options.random ?? seededRandom(1);
  const woken: string[] = [];
  const project = await openProject({
    dir,
    clock,
    random,
    log: options.log ?? silentLog,
    redactor: options.redactor ?? createRedactor(),
    proposals: options.proposals ?? [],
  });
  project.wakes.observe((mailboxes) => {
    woken.push(...mailboxes);
    options.wake?.(mailboxes);
  });
  const published: RecordedEvent[] = [];
  project.events.observe((events) => void published.push(...events));
  let handedOver = false;
  return {
    ...project,
    clock,
    published,
    woken,
    write,
    async reopen() {
      handedOver = true;
      await project[Symbol.asyncDispose]();
      return openAt(dir, { ...options, files: {}, clock, random });
    },
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      if (!handedOver) rmSync(dir, { recursive: true, force: true });
    },
  };
}

type Called<Input extends z.ZodType, Output extends z.ZodType> =
  | Proposal<ProductTypes, Input, Output, unknown>
  | Query<ProductTypes, Input, Output>;

/** Calls an operation as a face would, with data nobody has checked. */
export function call(project: Pick<Project, "system">, caller: Caller, operation: Operation, data: unknown) {
  return project.system.call(caller, operation, data);
}

/** Calls an operation that must be accepted, and checks its answer against its own schema. */
export async function callOk<Input extends z.ZodType, Output extends z.ZodType>(
  project: Pick<Project, "system">,
  caller: Caller,
  operation: Called<Input, Output>,
  data: z.input<Input>,
): Promise<z.output<Output>> {
  return operation.output.parse(value(await call(project, caller, operation, data)));
}

/** Calls an operation that must be refused. */
export async function callRefused(
  project: Pick<Project, "system">,
  caller: Caller,
  operation: Operation,
  data: unknown,
): Promise<Refusal> {
  return refused(await call(project, caller, operation, data));
}
