import { Link } from "../../parts/elements.tsx";
import { useOperation, useTeam } from "../../state/page-context.ts";
import { Demo } from "./demo.tsx";
import { NewTeam } from "./new-team.tsx";

/** Invites a person with an empty project: a team from a template, the demo, or a model. Shown until there is a team. */
export function FirstRun({ onProject }: { readonly onProject: (dir: string) => void }) {
  const isEmpty = useTeam(
    ({ agents, workspaces, problems }) => agents.length + workspaces.length + problems.length === 0,
  );
  return isEmpty ? <Invitation onProject={onProject} /> : null;
}

function Invitation({ onProject }: { readonly onProject: (dir: string) => void }) {
  const setup = useOperation("show-setup", {}, ["agents"]);
  if (setup?.ok !== true || !setup.value.isEmpty) return null;
  return (
    <div class="invitation">
      <h2 class="invitation-title">This project is empty. Give it a team.</h2>
      <p class="dim">
        Agents with a name, a role and a memory, who work together in a channel that you can read and steer.{" "}
        <Link to={{ view: "setup" }}>Connect a model</Link> if you have a key.
      </p>
      <div class="demo-card">
        <Demo onProject={onProject} />
      </div>
      <NewTeam setup={setup.value} />
    </div>
  );
}
