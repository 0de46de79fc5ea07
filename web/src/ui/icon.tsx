const paths = {
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  auto: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 2v12M8 5h4.8M8 8h6M8 11h4.8",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
  right: "M6 3l5 5-5 5",
  down: "M3 6l5 5 5-5",
  cut: "M6 5H4.8a3 3 0 0 0 0 6H6M10 5h1.2a3 3 0 0 1 0 6H10M7.2 2.2l.4 1.6M8.8 13.8l-.4-1.6",
  link: "M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.5 2.5 0 0 1-4-4L5 7",
  check: "M3 8.5l3.5 3.5L13 5",
  warn: "M8 2l6.5 12h-13L8 2Zm0 5v3.5M8 12.2v.3",
  question: "M6 6a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1.1M8 11.6v.2",
  pause: "M5.5 3v10M10.5 3v10",
  play: "M5 3l8 5-8 5Z",
  copy: "M6 6V3h7v7h-3M3 6h7v7H3Z",
  download: "M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10",
};

export type IconName = keyof typeof paths;

/** An Icon says nothing by itself: what it stands in has the words. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
