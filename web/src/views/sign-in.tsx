import { useState } from "preact/hooks";
import { readArrival, type Arrival } from "../connection/fragment.ts";

/** For a browser that was not let in, or is not any more. */
export function SignIn({
  reason,
  onArrival,
}: {
  readonly reason: string | undefined;
  readonly onArrival: (arrival: Arrival) => void;
}) {
  const [address, setAddress] = useState("");
  const arrival = readArrival(address.trim());
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
            if (arrival !== undefined) onArrival(arrival);
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
          <button type="submit" class="button primary" disabled={arrival === undefined}>
            Enter
          </button>
        </form>
      </div>
    </main>
  );
}
