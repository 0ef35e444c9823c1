/** Embeds an SVG inline if it only draws, any other as an image. */
import { Html, markup } from "./html.ts"

const elements = new Set([
  "svg",
  "g",
  "path",
  "rect",
  "line",
  "circle",
  "ellipse",
  "polygon",
  "polyline",
  "text",
  "tspan",
  "title",
  "desc",
  "defs",
  "clipPath",
  "linearGradient",
  "radialGradient",
  "stop",
  "style",
])

/** The only allowed style sheet: it sets colors of the chart's class. */
const STYLE =
  /^(?:\.planloom-chart:root\{color:#[0-9a-f]{6}\}|@media \(prefers-color-scheme:dark\)\{\.planloom-chart:root\{color:#[0-9a-f]{6}\}\})+$/

const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[a-zA-Z_:][\w:.-]*="[^"<]*")*)\s*(\/?)>/y
const ATTRIBUTE = /([a-zA-Z_:][\w:.-]*)="([^"<]*)"/g

const attributesDraw = (text: string): boolean => {
  for (const [, name, value] of text.matchAll(ATTRIBUTE)) {
    if (/^on/i.test(name!) || /href$/i.test(name!) || name === "src") return false
    // Only references within the image.
    if (/url\s*\((?!#)/i.test(value!) || /javascript:|expression\s*\(|@import/i.test(value!))
      return false
  }
  return true
}

/** Checks tag by tag; rejects anything but text and known tags. */
const onlyDraws = (svg: string): boolean => {
  if (!svg.startsWith("<svg")) return false
  let at = 0
  while (at < svg.length) {
    const next = svg.indexOf("<", at)
    if (next === -1) return true
    TAG.lastIndex = next
    const tag = TAG.exec(svg)
    if (tag === null || !elements.has(tag[2]!) || !attributesDraw(tag[3]!)) return false
    at = TAG.lastIndex
    if (tag[2] === "style" && tag[1] === "") {
      const end = svg.indexOf("</style>", at)
      if (end === -1 || !STYLE.test(svg.slice(at, end))) return false
      at = end
    }
  }
  return true
}

/** Markup for an untrusted SVG. An image in a data URL runs no scripts and loads nothing. */
export const svgMarkup = (svg: string, alt: string): Html =>
  onlyDraws(svg)
    ? new Html(svg)
    : markup`<img alt="${alt}" src="data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}">`
