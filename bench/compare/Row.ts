/** A row of a comparison: one unit of a figure on both sides. */
import type { Figure } from "./figures.ts"

export interface Row {
  readonly figure: Figure
  readonly unit: string
  readonly before: number
  readonly now: number
}

/** What differs by less is noise. */
const NOISE = 0.05

/** All figures are costs: more is worse. */
export const changeOf = ({ before, now }: Row): "same" | "better" | "worse" =>
  Math.abs(now - before) <= NOISE * before ? "same" : now > before ? "worse" : "better"

const shown = (value: number) =>
  value.toLocaleString("en", { maximumSignificantDigits: value < 1000 ? 3 : 4 })

export const tableOf = (rows: ReadonlyArray<Row>, before: string, now: string): string =>
  [
    `| least of each | unit | ${before} | ${now} | change |`,
    "|---|---|---:|---:|---:|",
    ...rows.map((row) => {
      const percent = ((row.now / row.before - 1) * 100).toFixed(1)
      const mark = changeOf(row) === "same" ? "" : ` ${changeOf(row)}`
      return `| ${row.figure.title} | ${row.unit} | ${shown(row.before)} | ${shown(row.now)} | ${row.now < row.before ? "" : "+"}${percent} %${mark} |`
    }),
  ].join("\n")
