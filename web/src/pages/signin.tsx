import "../css/pages.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { hasToken, setToken } from "../api";
import { useTitle } from "../title";

/** SignIn stands where a page would, when the server wants its token. */
export function SignIn() {
  const [token, type] = useState("");
  const [tried] = useState(hasToken);
  const input = useRef<HTMLInputElement>(null);
  useTitle("Token");
  useEffect(() => input.current?.focus(), []);
  const send = (e: Event) => {
    e.preventDefault();
    setToken(token.trim());
  };
  return (
    <form class="card sign-in" onSubmit={send}>
      <h1>This server wants its token</h1>
      <p class="secondary">
        It is the value of <code>security.token</code> in the cluster's configuration. It is kept until this tab is closed, and sent to no
        other server.
      </p>
      <label>
        <span class="strong">Token</span>
        <input ref={input} class="input" type="password" autocomplete="off" required value={token} onInput={(e) => type(e.currentTarget.value)} />
      </label>
      {tried && (
        <p role="alert" class="text-red">
          The token that was given is not the server's.
        </p>
      )}
      <button type="submit" class="button primary">
        Continue
      </button>
    </form>
  );
}
