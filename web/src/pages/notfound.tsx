import { useTitle } from "../title";

export function NotFound({ path }: { path: string }) {
  useTitle("No such page");
  return (
    <div class="empty">
      <h1>There is no page {path}</h1>
      <p class="why">The address is wrong, or what it was about is gone.</p>
      <a class="button" href="#/">
        Overview
      </a>
    </div>
  );
}
