import { Composer } from "../parts/composer.tsx";
import { Link } from "../parts/elements.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";
import { useTeam } from "../state/page-context.ts";
import { currentSpace, spaceName } from "../text/space-name.ts";
import { ChannelMessages } from "./reading/channel-messages.tsx";

/** The messages of a workspace, or of the direct messages with one agent, live. */
export function Channel({ space, named, waiting }: Parameters<typeof ChannelMessages>[0]) {
  const workspace = useTeam(({ workspaces }) => workspaces.find((each) => each.space === space));
  const names = workspace?.participants ?? [];
  const current = currentSpace(space);
  const isEarlier = current !== space;
  const closed = workspace?.state === "closed";
  return (
    <div class="channel-view">
      <SpaceHeader space={space} view="channel" />
      <ChannelMessages key={`${space} ${workspace?.instance ?? ""}`} space={space} named={named} waiting={waiting} />
      {isEarlier ? (
        <p class="closed-note">
          This is an earlier instance: it can only be read.{" "}
          <Link to={{ view: "channel", space: current }}>The current one</Link>
        </p>
      ) : closed ? (
        <p class="closed-note">This workspace is closed. What was said stays here.</p>
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
