import { useState } from "preact/hooks";
import { Empty, Fold, Loaded, Name, Section, UntrustedBadge } from "../parts/elements.tsx";
import { RichText } from "../parts/rich-text.tsx";
import { useOperation, usePage } from "../state/page-context.ts";
import { visibleText } from "../text/visible-text.ts";
import { NoteForm } from "./note-form.tsx";
import { Memory } from "./memory.tsx";

/** The personal context of an agent, which is the same in all workspaces. */
export function AgentContext({ agent }: { readonly agent: string }) {
  return (
    <>
      <Todos agent={agent} />
      <Memory agent={agent} />
      <Notes agent={agent} />
      <Conversation agent={agent} />
    </>
  );
}

function Todos({ agent }: { readonly agent: string }) {
  const { daemon, notify } = usePage();
  const [text, setText] = useState("");
  const listed = useOperation("list-todos", { agent }, ["personal"]);
  const finish = async (number: number): Promise<void> => {
    const done = await daemon.call("finish-todo", { agent, number });
    if (!done.ok) notify(done.error.message, "bad");
  };
  const add = async (): Promise<void> => {
    const added = await daemon.call("add-todo", { agent, text });
    if (added.ok) setText("");
    else notify(added.error.message, "bad");
  };
  return (
    <Section title="Todo">
      <Loaded result={listed}>
        {({ todos }) =>
          todos.length === 0 ? (
            <Empty>Nothing is left to do.</Empty>
          ) : (
            <ul class="plain-list">
              {todos.map(({ number, text: task, done, outside }) => (
                <li key={`${number} ${task}`}>
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={done}
                      disabled={number === null}
                      onChange={() => void finish(number ?? 0)}
                    />
                    {outside ? <UntrustedBadge /> : null} {visibleText(task)}
                  </label>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <input
          value={text}
          aria-label={`Something for ${agent} to do`}
          placeholder="Add something to do"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={text.trim() === ""}>
          Add
        </button>
      </form>
    </Section>
  );
}

function Notes({ agent }: { readonly agent: string }) {
  const listed = useOperation("list-notes", { agent }, ["personal"]);
  return (
    <Section title="Notes">
      <Loaded result={listed}>
        {({ notes }) =>
          notes.length === 0 ? (
            <Empty>There are no notes.</Empty>
          ) : (
            <ul class="plain-list">
              {notes.map(({ name, day, title, outside }) => (
                <li key={name}>
                  <Fold
                    summary={
                      <>
                        {visibleText(`${day === null ? "" : `${day} `}${title}`)} {outside ? <UntrustedBadge /> : null}
                      </>
                    }
                  >
                    {() => <NoteText agent={agent} name={name} />}
                  </Fold>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Fold summary="Write a note">{() => <NoteForm agent={agent} />}</Fold>
    </Section>
  );
}

function NoteText({ agent, name }: { readonly agent: string; readonly name: string }) {
  const read = useOperation("read-note", { agent, name }, ["personal"]);
  return <Loaded result={read}>{({ content }) => <RichText text={content} />}</Loaded>;
}

function Conversation({ agent }: { readonly agent: string }) {
  const read = useOperation("read-conversation", { agent, limit: 20 }, ["personal", "messages"]);
  return (
    <Section title="Conversation">
      <Loaded result={read}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>Nobody has written to it directly.</Empty>
          ) : (
            <details>
              <summary>The last direct messages</summary>
              <ul class="plain-list">
                {entries.map(({ day, time, sender, text }) => (
                  <li key={`${day} ${time} ${text}`}>
                    <span class="dim">
                      {day} {time}
                    </span>{" "}
                    <Name name={sender} /> <RichText text={text} />
                  </li>
                ))}
              </ul>
            </details>
          )
        }
      </Loaded>
    </Section>
  );
}
