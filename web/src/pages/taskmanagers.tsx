export function TaskManagers() {
  return null;
}
