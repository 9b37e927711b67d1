import { useState } from "preact/hooks";
import type { DaemonError } from "../../connection/daemon.ts";
import { ActionButton, ErrorBox, Section } from "../../parts/elements.tsx";
import { usePage } from "../../state/page-context.ts";
import { rememberView } from "../../state/project-history.ts";

/** Plays the demo in a project of its own, and shows it. */
export function Demo({ onProject }: { readonly onProject: (dir: string) => void }) {
  const { daemon } = usePage();
  const [opening, setOpening] = useState(false);
  const [error, setError] = useState<DaemonError>();
  const play = async (): Promise<void> => {
    setOpening(true);
    const opened = await daemon.call("open-demo", {});
    const { project, workflow } = opened.ok ? opened.value : { project: "", workflow: "" };
    const started = opened.ok
      ? await daemon.in(project).start({ workflow, tag: "", message: "", params: {}, goOn: false })
      : opened;
    setOpening(false);
    if (!started.ok) return setError(started.error);
    rememberView(project, { view: "channel", space: `@${workflow}:main` });
    onProject(project);
  };
  return (
    <Section title="Watch a demo">
      <p>
        A reviewer, a coder and a scribe look at a small change. They play a script: no model and no key are needed.
      </p>
      {error === undefined ? null : <ErrorBox error={error} />}
      <p class="actions">
        <ActionButton
          label={opening ? "Opening…" : "Play the demo"}
          primary
          disabled={opening}
          onClick={() => void play()}
        />
      </p>
    </Section>
  );
}
