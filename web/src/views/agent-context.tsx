import { useState } from "preact/hooks";
import { useAsked, usePage } from "../state/page-context.ts";
import { visibleText } from "../text/visible-text.ts";
import { Memory } from "./memory.tsx";
import { Answered, Name, Nothing, Section } from "../parts/parts.tsx";
import { RichText } from "../parts/rich-text.tsx";

/** What an agent carries from one workspace to the next: the files of its personal context. */
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
  const { daemon, tell } = usePage();
  const [text, setText] = useState("");
  const listed = useAsked("list-todos", { agent }, ["personal"]);
  const finish = async (number: number): Promise<void> => {
    const done = await daemon.ask("finish-todo", { agent, number });
    if (!done.ok) tell(done.error.message, "bad");
  };
  const add = async (): Promise<void> => {
    const added = await daemon.ask("add-todo", { agent, text });
    if (added.ok) setText("");
    else tell(added.error.message, "bad");
  };
  return (
    <Section title="Todo">
      <Answered answer={listed}>
        {({ todos }) =>
          todos.length === 0 ? (
            <Nothing>Nothing is left to do.</Nothing>
          ) : (
            <ul class="plain-list">
              {todos.map(({ number, text: task, done }) => (
                <li key={`${number} ${task}`}>
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={done}
                      disabled={number === null}
                      onChange={() => void finish(number ?? 0)}
                    />
                    {visibleText(task)}
                  </label>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
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
  const listed = useAsked("list-notes", { agent }, ["personal"]);
  return (
    <Section title="Notes">
      <Answered answer={listed}>
        {({ notes }) =>
          notes.length === 0 ? (
            <Nothing>There are no notes.</Nothing>
          ) : (
            <ul class="plain-list">
              {notes.map(({ name, day, title }) => (
                <li key={name}>
                  <Note agent={agent} name={name} title={`${day === null ? "" : `${day} `}${title}`} />
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Section>
  );
}

function Note({ agent, name, title }: { readonly agent: string; readonly name: string; readonly title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{visibleText(title)}</summary>
      {open ? <NoteText agent={agent} name={name} /> : null}
    </details>
  );
}

function NoteText({ agent, name }: { readonly agent: string; readonly name: string }) {
  const read = useAsked("read-note", { agent, name }, ["personal"]);
  return <Answered answer={read}>{({ content }) => <RichText text={content} />}</Answered>;
}

function Conversation({ agent }: { readonly agent: string }) {
  const read = useAsked("read-conversation", { agent, limit: 20 }, ["personal", "messages"]);
  return (
    <Section title="Conversation">
      <Answered answer={read}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Nothing>Nobody has written to it directly.</Nothing>
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
      </Answered>
    </Section>
  );
}
