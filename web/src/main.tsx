import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { removeSession, storedProject, storedSession, storeProject, storeSession } from "./connection/credential.ts";
import { signIn } from "./connection/daemon.ts";
import { observeSession } from "./connection/observe-session.ts";
import { parseSignInLink, type SignInLink } from "./connection/sign-in-link.ts";
import { Loading } from "./parts/elements.tsx";
import { applyStoredTheme } from "./parts/theme-button.tsx";
import { SignIn } from "./views/sign-in.tsx";
import { TeamPage } from "./views/team-page.tsx";

/** Removes the code from the address at once, so that it does not stay in the browser history. */
function consumeSignInLink(): SignInLink | undefined {
  const link = parseSignInLink(location.hash);
  if (link !== undefined) history.replaceState(null, "", location.pathname);
  return link;
}

function Page({ initialLink }: { readonly initialLink: SignInLink | undefined }) {
  const [session, setSession] = useState(() => (initialLink === undefined ? storedSession()?.session : undefined));
  const [project, setProject] = useState(() => initialLink?.project ?? storedProject());
  const [reason, setReason] = useState<string>();
  const [signingIn, setSigningIn] = useState(initialLink !== undefined);

  const enter = async (link: SignInLink): Promise<void> => {
    setSigningIn(true);
    const opened = await signIn(link.code);
    setSigningIn(false);
    if (!opened.ok) {
      setSession(undefined);
      setReason(`${opened.error.message} ${opened.error.hint ?? ""}`);
      return;
    }
    storeSession(opened.value);
    if (link.project !== undefined) selectProject(link.project);
    setReason(undefined);
    setSession(opened.value.session);
  };
  const selectProject = (dir: string): void => {
    storeProject(dir);
    setProject(dir);
  };
  const signOut = (why?: string): void => {
    removeSession();
    setSession(undefined);
    setReason(why);
  };
  useEffect(() => {
    if (initialLink !== undefined) void enter(initialLink);
    const onChange = (): void => {
      const link = consumeSignInLink();
      if (link !== undefined) void enter(link);
    };
    addEventListener("hashchange", onChange);
    const stopObserving = observeSession((stored) => setSession(stored?.session));
    return () => {
      stopObserving();
      removeEventListener("hashchange", onChange);
    };
  }, []);

  if (signingIn) return <Loading label="Entering" />;
  if (session === undefined) return <SignIn reason={reason} onLink={(link) => void enter(link)} />;
  return <TeamPage session={session} project={project} onProject={selectProject} onSignOut={signOut} />;
}

const initialLink = consumeSignInLink();
applyStoredTheme();
const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<Page initialLink={initialLink} />, root);
}
