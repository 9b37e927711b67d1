import { useEffect, useState } from "preact/hooks";
import type { TrustView } from "../../../src/contract/trust.ts";
import { usePage, useTeam } from "../state/page-context.ts";
import { countOf } from "../text/figures.ts";
import { visibleText } from "../text/visible-text.ts";

/**
 * Asks for consent where the project rests, or can do more than the person allowed: it shows what the project could do
 * and trusts exactly that. Looked up again whenever the agents are listed, because a file may have changed.
 */
export function TrustBanner() {
  const { daemon, notify } = usePage();
  const agents = useTeam((state) => state.agents);
  const [view, setView] = useState<TrustView>();
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    let active = true;
    void daemon.call("show-trust", {}).then((result) => {
      if (active && result.ok) setView(result.value);
    });
    return () => {
      active = false;
    };
  }, [daemon, agents]);
  const unseen = view?.abilities.filter(({ seen }) => !seen) ?? [];
  if (view === undefined || (view.kind === "trusted" && unseen.length === 0)) return null;
  if (view.kind === "unknown" && view.abilities.length === 0 && view.facts.length === 0) return null;

  const grant = async (): Promise<void> => {
    const granted = await daemon.call("grant-trust", { seen: view.fingerprint });
    if (granted.ok) {
      setView({ ...view, kind: "trusted", abilities: [] });
      setAsking(false);
    }
    notify(
      granted.ok ? "The project is trusted and goes to work." : granted.error.message,
      granted.ok ? "good" : "bad",
    );
  };
  return (
    <section class="trust" aria-label="Trust">
      <p>
        <strong>{HEADINGS[view.kind]}</strong>{" "}
        <button type="button" class="button" aria-expanded={asking} onClick={() => setAsking(!asking)}>
          {unseen.length === 0 ? "See what it does" : `See ${countOf(unseen.length, "thing")} it could do`}
        </button>
      </p>
      {asking ? (
        <>
          <ul>
            {unseen.map(({ who, text }) => (
              <li key={`${who} ${text}`}>
                <strong>{visibleText(who)}</strong> can <code>{visibleText(text)}</code>
              </li>
            ))}
            {view.kind === "trusted" ? null : view.facts.map((fact) => <li key={fact}>{visibleText(fact)}</li>)}
          </ul>
          <button type="button" class="button primary" onClick={() => void grant()}>
            Let it do this
          </button>
        </>
      ) : null}
    </section>
  );
}

const HEADINGS = {
  trusted: "Something here rests: it can do more now than you have allowed.",
  unknown: "This project rests: you have not trusted it on this machine.",
  "foreign-store": "This project rests: its database was not made on this machine.",
} as const;
