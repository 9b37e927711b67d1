import { useState } from "preact/hooks";
import { parseSignInLink, type SignInLink } from "../connection/sign-in-link.ts";

/** Shown to a browser that is not signed in. */
export function SignIn({
  reason,
  onLink,
}: {
  readonly reason: string | undefined;
  readonly onLink: (link: SignInLink) => void;
}) {
  const [address, setAddress] = useState("");
  const link = parseSignInLink(address.trim());
  return (
    <main class="sign-in">
      <div class="card">
        <h1>agent-worker</h1>
        {reason === undefined ? null : (
          <p class="trouble" role="alert">
            {reason}
          </p>
        )}
        <p>To see your team here, run this in a terminal:</p>
        <pre class="code">
          <code>agent-worker ui</code>
        </pre>
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (link !== undefined) onLink(link);
          }}
        >
          <input
            class="grows"
            type="password"
            autocomplete="off"
            placeholder="or paste the address it prints"
            aria-label="The address that agent-worker ui prints"
            value={address}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
          <button type="submit" class="button primary" disabled={link === undefined}>
            Enter
          </button>
        </form>
      </div>
    </main>
  );
}
