/** Renders a Vega-Lite specification with its rows as an SVG string, without a browser. */
import { createHash } from "node:crypto"
import { missingPackage } from "@planloom/plugin/late"
import * as Effect from "effect/Effect"
import type { JsonObject } from "@planloom/plugin/effect"
import { failed } from "../DataFailed.ts"
import { config } from "./theme.ts"

const escape = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")

/** A standalone SVG has no page color to inherit, so it follows the viewer's color scheme. */
const style =
  "<style>.planloom-chart:root{color:#1c2024}@media (prefers-color-scheme:dark){.planloom-chart:root{color:#e6e8eb}}</style>"

/** Vega numbers clip paths per process; content-based names make the output deterministic. */
const rename = (svg: string): string => {
  const names = new Map<string, string>()
  const seen = (id: string): string => {
    if (!names.has(id)) names.set(id, `#${names.size}`)
    return names.get(id)!
  }
  const numbered = svg.replace(
    /(<(?:clipPath|linearGradient|radialGradient) id="|(?:clip-path|fill|stroke)="url\(#)([a-z_]+\d+)("|\)")/g,
    (_, before: string, id: string, after: string) => `${before}@${seen(id)}@${after}`,
  )
  const hash = createHash("sha256").update(numbered).digest("hex").slice(0, 8)
  return numbered.replace(/@#(\d+)@/g, (_, index: string) => `p${hash}-${index}`)
}

const dress = (svg: string, alt: string): string =>
  rename(svg).replace(
    /^<svg[^>]*?(width="[^"]*" height="[^"]*" viewBox="[^"]*")[^>]*>/,
    (_, size: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" class="planloom-chart" role="img" aria-label="${escape(alt)}" ${size}><title>${escape(alt)}</title>${style}`,
  )

/** Suppresses Vega's warnings, which concern the specification's author, not the user. */
const draw = async (spec: JsonObject, rows: ReadonlyArray<JsonObject>): Promise<string> => {
  const [vega, vegaLite] = await Promise.all([import("vega"), import("vega-lite")])
  const full = { ...spec, config, data: { name: "table", values: rows } }
  const logger = vega.logger(vega.None)
  const compiled = vegaLite.compile(full as never, { logger: logger as never }).spec
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}

/** Renders the SVG. Loads Vega with the first chart (about 300 ms). */
export const render = (spec: JsonObject, rows: ReadonlyArray<JsonObject>, alt: string) =>
  Effect.tryPromise({
    try: async () => dress(await draw(spec, rows), alt),
    catch: (error) =>
      failed(
        `the chart cannot be drawn: ${missingPackage("vega", error) ?? missingPackage("vega-lite", error) ?? (error as Error).message}`,
      ),
  })
