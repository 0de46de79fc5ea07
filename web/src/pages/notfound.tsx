import { useTitle } from "../title";
import { Empty } from "../ui";

export function NotFound({ path }: { path: string }) {
  useTitle("No such page");
  return (
    <Empty title={`There is no page ${path}`}>
      <p class="why">The address is wrong, or what it was about is gone.</p>
      <a class="button" href="#/">
        Overview
      </a>
    </Empty>
  );
}
