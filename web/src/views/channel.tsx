import { useState } from "preact/hooks";
import type { WorkspaceView } from "../../../src/contract/workspaces.ts";
import { Composer } from "../parts/composer.tsx";
import { ActionButton, Link } from "../parts/elements.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";
import { usePage, useTeam } from "../state/page-context.ts";
import { currentSpace, spaceName } from "../text/space-name.ts";
import { visibleText } from "../text/visible-text.ts";
import { ChannelMessages } from "./reading/channel-messages.tsx";

/** The messages of a workspace, or of the direct messages with one agent, live. */
export function Channel({ space, named, waiting }: Omit<Parameters<typeof ChannelMessages>[0], "onMissing">) {
  const workspace = useTeam(({ workspaces }) => workspaces.find((each) => each.space === space));
  const isGone = useTeam(
    ({ agents, connection }) =>
      connection === "live" && agents.length > 0 && !space.includes("@") && !agents.some(({ name }) => name === space),
  );
  // What is made later under this name is another place.
  const place = `${space} ${workspace?.instance ?? ""} ${isGone}`;
  const [missing, setMissing] = useState<string>();
  const names = workspace?.participants ?? [];
  const current = currentSpace(space);
  const isEarlier = current !== space;
  return (
    <div class="channel-view">
      <SpaceHeader space={space} view="channel" />
      <ChannelMessages key={place} space={space} named={named} waiting={waiting} onMissing={() => setMissing(place)} />
      {missing === place ? null : isEarlier ? (
        <p class="closed-note">
          This is an earlier instance: it can only be read.{" "}
          <Link to={{ view: "channel", space: current }}>The current one</Link>
        </p>
      ) : workspace?.state === "closed" ? (
        <ClosedNote workspace={workspace} />
      ) : isGone ? (
        <p class="closed-note">
          {visibleText(space)} is not there any more. What was said stays here.{" "}
          <Link to={{ view: "runs", target: space }}>Its runs</Link>
        </p>
      ) : (
        <Composer
          key={space}
          target={space}
          names={names}
          placeholder={space.startsWith("@") ? `Say something in ${spaceName(space)}` : `Write to ${space}`}
        />
      )}
    </div>
  );
}

/** A closed workspace can go on where it was, or begin anew from the overview. */
function ClosedNote({ workspace: { workflow, tag, name } }: { readonly workspace: WorkspaceView }) {
  const { daemon, notify } = usePage();
  const [starting, setStarting] = useState(false);
  const goOn = async (): Promise<void> => {
    setStarting(true);
    const started = await daemon.start({ workflow, tag, message: "", params: {}, goOn: true });
    setStarting(false);
    notify(
      started.ok ? `@${name} is open again.` : `${started.error.message} ${started.error.hint ?? ""}`,
      started.ok ? "good" : "bad",
    );
  };
  return (
    <p class="closed-note">
      This workspace is closed. What was said stays here.{" "}
      <ActionButton label={starting ? "Opening…" : "Go on here"} disabled={starting} onClick={() => void goOn()} />{" "}
      <Link to={{ view: "overview" }}>Begin anew</Link>
    </p>
  );
}
