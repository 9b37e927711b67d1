import { useEffect, useState } from "preact/hooks";
import type { DefinitionFileView } from "../../../../src/contract/project/definition-files.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { ActionButton, Badge, Empty, Link, Loaded } from "../../parts/elements.tsx";
import { keyOfFile } from "../../state/unsaved-edits.ts";
import { useOperation, usePage, useQuery } from "../../state/page-context.ts";
import { AGENT_FORM, WORKFLOW_FORM } from "../../state/form-fields.ts";
import { countOf } from "../../text/figures.ts";
import { visibleText } from "../../text/visible-text.ts";
import { FieldsForm } from "./fields-form.tsx";
import { FileEditor } from "./file-editor.tsx";
import { NewFile, PROJECT_FILE, type NewKind } from "./new-file.tsx";

/** The files that say what the project is, and an editor for one of them. */
export function Files({ file }: { readonly file: string | undefined }) {
  const { goTo } = usePage();
  const listed = useOperation("list-definition-files", {}, ["agents", "workspaces"]);
  const [chosen, setMaking] = useState<NewKind>();
  // A link to a file leaves what was being made.
  useEffect(() => {
    if (file !== undefined) setMaking(undefined);
  }, [file]);
  const open = (path: string): void => {
    setMaking(undefined);
    goTo({ view: "files", file: path });
  };
  return (
    <div class="view">
      <header class="view-header">
        <h1>Files</h1>
        <p class="actions">
          <ActionButton label="New agent" disabled={false} onClick={() => setMaking("agent")} />
          <ActionButton label="New workflow" disabled={false} onClick={() => setMaking("workflow")} />
        </p>
      </header>
      <Loaded result={listed}>
        {({ files }) => {
          const agents = files.flatMap(({ kind, name }) => (kind === "agent" && name !== null ? [name] : []));
          const shown = files.find((each) => each.file === file) ?? fileOfAgent(files, file);
          const hasProjectFile = files.some(({ kind }) => kind === "project");
          // A link may lead to the file of the project before there is one.
          const making = chosen ?? (file === PROJECT_FILE && !hasProjectFile ? "project" : undefined);
          return (
            <div class="documents">
              <p class="all-files">
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    setMaking(undefined);
                    goTo({ view: "files", file: undefined });
                  }}
                >
                  ← All files
                </button>
              </p>
              <nav aria-label="Files" class="files-list">
                {files.length === 0 ? (
                  <Empty>
                    There are no definitions yet. Make an agent, or{" "}
                    <Link to={{ view: "setup" }}>a team from a template</Link>.
                  </Empty>
                ) : (
                  <FileList files={files} current={making === undefined ? shown?.file : undefined} />
                )}
                {hasProjectFile || files.length === 0 ? null : (
                  <section aria-label="Project">
                    <h2>Project</h2>
                    <Link to={{ view: "files", file: PROJECT_FILE }} current={making === "project"}>
                      limits and prices…
                    </Link>
                  </section>
                )}
              </nav>
              {making !== undefined ? (
                <article class="card document" aria-label={`New ${making}`}>
                  <h2>{making === "project" ? "Limits and prices of the project" : `New ${making}`}</h2>
                  <NewFile key={making} kind={making} agents={agents} taken={takenBy(files)} onSaved={open} />
                </article>
              ) : shown === undefined ? (
                files.length === 0 ? null : (
                  <Empty>
                    An agent says who works, a workflow who works together. Choose one to change it, or make a new one.
                  </Empty>
                )
              ) : (
                <OpenFile key={shown.file} source={shown} />
              )}
            </div>
          );
        }}
      </Loaded>
    </div>
  );
}

/** The paths, and each name with its kind: a file may define an agent of another name. */
function takenBy(files: readonly DefinitionFileView[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ file, kind, name }) => [file, `${kind} ${name ?? ""}`]));
}

/** An address may name the file that an agent usually has. */
function fileOfAgent(files: readonly DefinitionFileView[], file: string | undefined): DefinitionFileView | undefined {
  const name = /^\.agents\/(.+)\.yaml$/.exec(file ?? "")?.[1];
  return name === undefined ? undefined : files.find((each) => each.kind === "agent" && each.name === name);
}

const TITLES = [
  ["agent", "Agents"],
  ["workflow", "Workflows"],
  ["prompt", "Prompts"],
  ["project", "Project"],
] as const;

function FileList({
  files,
  current,
}: {
  readonly files: readonly DefinitionFileView[];
  readonly current: string | undefined;
}) {
  return (
    <>
      {TITLES.map(([kind, title]) => {
        const those = files.filter((each) => each.kind === kind);
        return those.length === 0 ? null : (
          <section key={kind} aria-label={title}>
            <h2>{title}</h2>
            <ul class="plain-list">
              {those.map(({ file, name, problems }) => (
                <li key={file}>
                  <Link to={{ view: "files", file }} current={file === current}>
                    {visibleText(kind === "prompt" ? file : (name ?? file))}
                  </Link>{" "}
                  {problems === 0 ? null : <Badge kind="bad">{countOf(problems, "problem")}</Badge>}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function OpenFile({ source: { file, kind, name, problems } }: { readonly source: DefinitionFileView }) {
  const [version, setVersion] = useState(0);
  const form = kind === "agent" ? AGENT_FORM : kind === "workflow" ? WORKFLOW_FORM : undefined;
  // A mistake is shown in its line. The form has no place for a key that it does not know.
  const [chosen, setAsText] = useState<boolean>();
  const { edits } = usePage();
  const [wasText] = useState(() => edits.get(keyOfFile(file)) !== undefined);
  const asText = chosen ?? (form === undefined || problems > 0 || wasText);
  const read = useQuery(`file ${file} ${version}`, (daemon) => daemon.call("read-definition-file", { file }), []);
  const saved = (): void => setVersion(version + 1);
  return (
    <article class="card document" aria-label={file}>
      <p class="document-head">
        <strong>{visibleText(file)}</strong>
        {form !== undefined ? (
          <span class="choice" role="group" aria-label="How to edit">
            <button type="button" class="button" aria-pressed={!asText} onClick={() => setAsText(false)}>
              Form
            </button>
            <button type="button" class="button" aria-pressed={asText} onClick={() => setAsText(true)}>
              YAML
            </button>
          </span>
        ) : null}
      </p>
      {form !== undefined && !asText && name !== null ? (
        <FieldsForm form={form} name={name} onSaved={saved} />
      ) : (
        <Loaded result={read}>
          {({ text, revision }) => (
            <FileEditor key={revision} edited={{ file, text, revision }} isYaml={kind !== "prompt"} onSaved={saved} />
          )}
        </Loaded>
      )}
      {kind === "agent" && name !== null ? <DeleteAgent name={name} /> : null}
    </article>
  );
}

function DeleteAgent({ name }: { readonly name: string }) {
  const { daemon, notify, goTo } = usePage();
  const remove = async (): Promise<void> => {
    const deleted = await daemon.call("delete-agent", { name, keepContext: true });
    notify(
      deleted.ok
        ? `${name} was deleted. Its memory and notes are kept.`
        : `${deleted.error.message} ${deleted.error.hint ?? ""}`,
      deleted.ok ? "good" : "bad",
    );
    if (deleted.ok) goTo({ view: "files", file: undefined });
  };
  return (
    <p class="actions">
      <ConfirmButton label={`Delete ${name}`} onConfirm={() => void remove()} />
    </p>
  );
}
