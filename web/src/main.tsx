import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { forgetToken, keepProject, keepToken, keptProject, keptToken } from "./connection/credential.ts";
import { enterPage } from "./connection/daemon.ts";
import { readArrival, type Arrival } from "./connection/fragment.ts";
import { SignIn } from "./views/sign-in.tsx";
import { TeamPage } from "./views/team-page.tsx";
import { applyKeptTheme } from "./parts/theme-button.tsx";

/** The code leaves the address before anything else happens, so that no history keeps it. */
function takeArrival(): Arrival | undefined {
  const arrival = readArrival(location.hash);
  if (arrival !== undefined) history.replaceState(null, "", location.pathname);
  return arrival;
}

function Page({ arrival }: { readonly arrival: Arrival | undefined }) {
  const [token, setToken] = useState(() => (arrival === undefined ? keptToken() : undefined));
  const [project, setProject] = useState(() => arrival?.project ?? keptProject());
  const [reason, setReason] = useState<string>();
  const [entering, setEntering] = useState(arrival !== undefined);

  const enter = async (came: Arrival): Promise<void> => {
    setEntering(true);
    const session = await enterPage(came.code);
    setEntering(false);
    if (!session.ok) {
      forgetToken();
      setToken(undefined);
      setReason(`${session.error.message} ${session.error.hint ?? ""}`);
      return;
    }
    keepToken(session.value.token);
    if (came.project !== undefined) look(came.project);
    setReason(undefined);
    setToken(session.value.token);
  };
  const look = (dir: string): void => {
    keepProject(dir);
    setProject(dir);
  };
  const leave = (why?: string): void => {
    forgetToken();
    setToken(undefined);
    setReason(why);
  };
  useEffect(() => {
    if (arrival !== undefined) void enter(arrival);
    const onChange = (): void => {
      const came = takeArrival();
      if (came !== undefined) void enter(came);
    };
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);

  if (entering) return <div class="loading" aria-busy="true" aria-label="Entering" />;
  if (token === undefined) return <SignIn reason={reason} onArrival={(came) => void enter(came)} />;
  return <TeamPage token={token} project={project} onProject={look} onLeave={leave} />;
}

const arrival = takeArrival();
applyKeptTheme();
const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<Page arrival={arrival} />, root);
}
