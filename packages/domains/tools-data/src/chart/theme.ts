/** Chart theme for light and dark pages, with colors safe for color vision deficiencies. */

/**
 * Palette found by search under two conditions, which a test checks: contrast of at least 3 : 1 on white and
 * on `#15171c` (WCAG 2.2, 1.4.11), and for every pair a distance (CIE76) of at least 16 as seen with
 * protanopia, deuteranopia and tritanopia (Machado, Oliveira & Fernandes 2009).
 */
export const palette = [
  "#2378b8",
  "#d55e00",
  "#0fa587",
  "#960fff",
  "#964b78",
  "#69964b",
  "#a578ff",
  "#69694b",
] as const

/** Dash pattern per color, so that lines are distinguishable without color. */
export const dashes: ReadonlyArray<ReadonlyArray<number>> = [
  [1, 0],
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
  [5, 2],
  [3, 3, 1, 3],
  [12, 4],
  [1, 3],
]

const ink = "currentColor"
const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

/** Vega-Lite's `config`. */
export const config = {
  background: null,
  font,
  padding: 6,
  aria: false,
  view: { stroke: null },
  range: { category: [...palette] },
  title: {
    color: ink,
    subtitleColor: ink,
    anchor: "start",
    fontSize: 16,
    fontWeight: 600,
    subtitleFontSize: 13,
    offset: 12,
  },
  axis: {
    labelColor: ink,
    titleColor: ink,
    domainColor: ink,
    tickColor: ink,
    gridColor: ink,
    domainOpacity: 0.35,
    tickOpacity: 0.35,
    gridOpacity: 0.13,
    labelOpacity: 0.85,
    labelFontSize: 12.5,
    titleFontSize: 13,
    titleFontWeight: 500,
    titlePadding: 10,
    labelPadding: 5,
    labelLimit: 260,
    titleLimit: 280,
  },
  legend: {
    labelColor: ink,
    titleColor: ink,
    labelFontSize: 13,
    titleFontSize: 13,
    titleFontWeight: 600,
    symbolStrokeWidth: 2.5,
    symbolSize: 140,
    labelLimit: 190,
    orient: "top",
    direction: "horizontal",
    columns: 2,
    titleOrient: "top",
    columnPadding: 16,
  },
  header: {
    labelColor: ink,
    titleColor: ink,
    labelFontSize: 12.5,
    labelFontWeight: 600,
    labelAnchor: "start",
    labelLimit: 220,
  },
} as const
