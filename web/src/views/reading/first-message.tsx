import { Avatar } from "../../parts/elements.tsx";
import { usePage, useTeam } from "../../state/page-context.ts";
import { spaceName } from "../../text/space-name.ts";

/** Shown where nothing was said yet: who is there, and a few ways to begin. */
export function FirstMessage({ space }: { readonly space: string }) {
  const { unsent } = usePage();
  const isWorkspace = space.startsWith("@");
  const participants = useTeam(({ workspaces }) => workspaces.find((each) => each.space === space)?.participants);
  const names = isWorkspace ? (participants ?? []).slice(0, MOST_AVATARS) : [space];
  const begin = (text: string): void => {
    unsent.change(space, { text, idempotencyKey: undefined });
    document.getElementById("composer")?.focus();
  };
  const [first] = names;
  const ideas = isWorkspace
    ? ["@all who are you, and what do you do?", ...(first === undefined ? [] : [`@${first} what should we do first?`])]
    : ["Who are you, and what do you do?", "What do you remember?", "What is on your list?"];
  return (
    <div class="first-message">
      <p class="first-avatars" aria-hidden="true">
        {names.map((name) => (
          <Avatar key={name} name={name} />
        ))}
      </p>
      <p class="title">{isWorkspace ? `Nothing was said in ${spaceName(space)} yet.` : `Say hello to ${space}.`}</p>
      <p class="dim">
        {isWorkspace
          ? "Everybody here reads what you say. @name wakes an agent, @all wakes every one."
          : "Only the two of you read this."}
      </p>
      <p class="ideas">
        {ideas.map((idea) => (
          <button key={idea} type="button" class="button" onClick={() => begin(idea)}>
            {idea}
          </button>
        ))}
      </p>
    </div>
  );
}

const MOST_AVATARS = 5;
