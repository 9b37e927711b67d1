import type { Clock } from "../../kernel/clock.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import { checkFileName } from "../confined-path.ts";
import { createArea } from "./area.ts";
import { createConversations } from "./conversations.ts";
import { createMemory } from "./memory.ts";
import { createNotes } from "./notes.ts";
import { findPersonalProblems } from "./personal-problems.ts";
import { createPersonalTexts } from "./personal-texts.ts";
import { createSoulFile } from "./soul.ts";
import { createTodo } from "./todo.ts";

export interface PersonalFilesOptions {
  /** Trusted folder, usually the project. No link below it is followed. */
  readonly root: string;
  /** Folder of the agent, relative to the root: `.agents/alice/`. */
  readonly dir: string;
  readonly clock: Clock;
  /** Returns a unique id for a new memory entry. */
  readonly newId: () => string;
}

/** The personal context in `root/dir`. Creates no file and no folder before the first write. */
export function createPersonalFiles({
  root,
  dir,
  clock,
  newId,
}: PersonalFilesOptions): Result<PersonalContext, Refusal> {
  const checked = checkFileName(dir.replace(/^(\.\/)+/, "").replace(/\/+$/, ""), { hidden: true });
  if (!checked.ok) return checked;
  const segments = checked.value.split("/");
  const area = (...path: readonly string[]): ReturnType<typeof createArea> =>
    createArea({ root, segments: [...segments, ...path], clock });
  const memory = createMemory(area("memory"), clock, newId);
  const soul = createSoulFile(root, segments);
  return ok({
    soul,
    problems: () => findPersonalProblems(root, checked.value, soul),
    memory,
    notes: createNotes(area("notes"), clock),
    conversations: createConversations(area("conversations")),
    todo: createTodo(area("todo")),
    texts: createPersonalTexts(memory, area),
  });
}
