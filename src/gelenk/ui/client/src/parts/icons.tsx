/** Small line drawings; decoration only, the name is on the button. */

const PATHS = {
  start: "M5 3.2v9.6L13 8z",
  pause: "M5 3.5v9M11 3.5v9",
  stop: "M4 4h8v8H4z",
  reset: "M3.2 8a4.8 4.8 0 1 0 1.6-3.6M3 2.6v2.9h2.9",
  hold: "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM6.4 6v4M9.6 6v4",
  go: "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM6.9 5.8v4.4L10.3 8z",
  step: "M3.5 3.4v9.2L9.8 8zM12.5 3.5v9",
  live: "M3 3.5v9L8 8zM8 3.5v9L13 8z",
  back: "M9.8 3.5 5.2 8l4.6 4.5",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.4v1.4M8 13.2v1.4M1.4 8h1.4M13.2 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1",
  moon: "M13 9.6A5.4 5.4 0 0 1 6.4 3 5.4 5.4 0 1 0 13 9.6z",
  system: "M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13",
  help: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6.3 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.9.7-.9 1.4M8 11.3v.1",
  search: "M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 10l3.2 3.2",
  close: "M4 4l8 8M12 4l-8 8",
  sliders:
    "M3 4.5h5M11 4.5h2M3 11.5h2M8 11.5h5M9.5 3a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM6.5 10a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z",
  plot: "M2.5 2.5v11h11M4.8 10.2l2.6-3.6 2.2 2 3.2-4.4",
  flag: "M4 14V2.5h7.5L9.8 5.4l1.7 2.9H4",
  edit: "M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.4 4.4l2.2 2.2",
  target: "M8 3.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6zM8 1v3.4M8 11.6V15M1 8h3.4M11.6 8H15",
  parts: "M3 3h4v4H3zM9 9h4v4H9zM7 5h4v4M9 11H5V7",
  tool: "M9.8 2.6a3.2 3.2 0 0 0-3 4.4L2.6 11.2l2.2 2.2L9 9.2a3.2 3.2 0 0 0 4.2-4.1l-2 2-1.9-.4-.4-1.9 2-2z",
  camera:
    "M2.5 5h2.3l1-1.6h4.4l1 1.6h2.3v7.5h-11zM8 6.4a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2z",
  image: "M2.5 3h11v10h-11zM2.8 11.2l3.4-3.6 2.6 2.6 1.7-1.5 2.8 2.6M10.6 5.4v.1",
  table: "M2.5 3h11v10h-11zM2.5 6.2h11M2.5 9.6h11M6.6 3v10",
  grow: "M9.5 2.8h3.7v3.7M6.5 13.2H2.8V9.5M13 3 9.3 6.7M3 13l3.7-3.7",
  film: "M2.5 3.5h11v9h-11zM5 3.5v9M11 3.5v9M2.5 8H5M11 8h2.5",
  download: "M8 2.5v7.2M4.8 6.8 8 9.9l3.2-3.1M3 13h10",
  record: "M8 3.4a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.2z",
  layers: "M8 2.5 13.5 5.6 8 8.7 2.5 5.6zM2.8 8.4 8 11.3l5.2-2.9M2.8 10.9 8 13.8l5.2-2.9",
  home: "M2.5 7.6 8 3l5.5 4.6M4.2 6.8V13h7.6V6.8",
  top: "M3 3h10v10H3zM6 6h4v4H6z",
  front: "M3 5h10v8H3zM3 8.5h10",
  side: "M3 4.5 9 3v10l-6 1.5zM9 3l4 2v6.8L9 13",
  down: "M3.5 6 8 10.5 12.5 6",
  up: "M3.5 10 8 5.5 12.5 10",
  right: "M6 3.5 10.5 8 6 12.5",
  send: "M2.5 8 13.5 3l-3 10.5L7.6 9zM7.6 9l5.9-6",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  grid: "M2.8 2.8h4.2v4.2H2.8zM9 2.8h4.2v4.2H9zM2.8 9h4.2v4.2H2.8zM9 9h4.2v4.2H9z",
  end: "M8 1.8v5M4.6 4a5 5 0 1 0 6.8 0",
  follow: "M8 2.5v8M4.8 7.6 8 10.7l3.2-3.1M3.5 13.5h9",
} as const;

export type IconName = keyof typeof PATHS;

const FILLED: ReadonlySet<IconName> = new Set(["start", "stop", "record", "live"]);

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={FILLED.has(name) ? "currentColor" : "none"}
      stroke="currentColor"
      stroke-width={1.4}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg width={26} height={26} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path
        d="M6 26 11 12 20 7 27 14"
        stroke="var(--muted)"
        stroke-width={3.6}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <circle cx={6} cy={26} r={3.4} fill="var(--text)" />
      <circle cx={11} cy={12} r={3} fill="var(--text)" />
      <circle cx={20} cy={7} r={3} fill="var(--text)" />
      <circle cx={27} cy={14} r={3.6} fill="var(--brand)" />
    </svg>
  );
}
