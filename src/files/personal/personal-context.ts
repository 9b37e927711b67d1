import type { Clock } from "../../kernel/clock.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import type { SoulFile } from "../../ports/soul-file.ts";
import type { Area } from "./area.ts";
import { createConversations } from "./conversations.ts";
import { createMemory } from "./memory.ts";
import { createNotes } from "./notes.ts";
import { createPersonalTexts } from "./personal-texts.ts";
import { createTodo } from "./todo.ts";

export interface PersonalContextParts extends Pick<PersonalContext, "problems"> {
  /** Returns a folder of the context by its path. */
  readonly area: (...path: readonly string[]) => Area;
  readonly soul: SoulFile;
  readonly clock: Clock;
  /** Returns a unique id for a new memory entry. */
  readonly newId: () => string;
}

/** A personal context whose folders are wherever `area` says. */
export function createPersonalContext({ area, soul, clock, newId, problems }: PersonalContextParts): PersonalContext {
  const memory = createMemory(area("memory"), clock, newId);
  return {
    soul,
    problems,
    memory,
    notes: createNotes(area("notes"), clock),
    conversations: createConversations(area("conversations")),
    todo: createTodo(area("todo")),
    texts: createPersonalTexts(memory, area),
  };
}
