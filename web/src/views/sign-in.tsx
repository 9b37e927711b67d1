import { useState } from "preact/hooks";
import { Field } from "../parts/elements.tsx";
import { parseSignInLink, type SignInLink } from "../connection/sign-in-link.ts";

const PAIRING_CODE = /^[A-Za-z0-9]{4}[\s-]?[A-Za-z0-9]{4}$/;

/** Shown to a browser that is not signed in. */
export function SignIn({
  reason,
  onLink,
}: {
  readonly reason: string | undefined;
  readonly onLink: (link: SignInLink) => void;
}) {
  const [address, setAddress] = useState("");
  const [pairing, setPairing] = useState("");
  const link = parseSignInLink(address.trim());
  return (
    <main class="sign-in">
      <div class="card">
        <img class="sign-in-mark" src="/ui/icon.svg" alt="" />
        <h1>agent-worker</h1>
        {reason === undefined ? null : (
          <p class="trouble" role="alert">
            {reason}
          </p>
        )}
        <p>
          On the machine of your team, <code>agent-worker ui</code> opens this page, and{" "}
          <code>agent-worker ui pair</code> prints a code for another device.
        </p>
        <form
          class="form"
          aria-label="Pairing code"
          onSubmit={(event) => {
            event.preventDefault();
            onLink({ code: pairing.trim(), project: undefined });
          }}
        >
          <Field label="Pairing code">
            <input
              class="pairing"
              autocomplete="one-time-code"
              autocapitalize="characters"
              spellcheck={false}
              placeholder="ABCD-2345"
              value={pairing}
              onInput={(event) => setPairing(event.currentTarget.value)}
            />
          </Field>
          <p class="actions">
            <button type="submit" class="button primary" disabled={!PAIRING_CODE.test(pairing.trim())}>
              Sign in
            </button>
          </p>
        </form>
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
