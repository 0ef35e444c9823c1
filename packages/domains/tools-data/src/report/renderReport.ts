/** Renders a report as one HTML page without scripts or network access; all values are escaped. */
import { isNumeric } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"
import { decimalsOf, formatValue, MISSING } from "./format.ts"
import { Html, markup } from "./html.ts"
import type { Report, ReportStep, ReportTable } from "./Report.ts"
import { svgMarkup } from "./safeSvg.ts"
import { style } from "./style.ts"

const ITEM = /^\s*[-*•] /

/** Groups adjacent lines of one kind: list items or paragraph lines. */
const runs = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<Array<string>> = []
  for (const line of lines) {
    const last = found.at(-1)
    if (last !== undefined && ITEM.test(last[0]!) === ITEM.test(line)) last.push(line)
    else found.push([line])
  }
  return found
}

/** Renders paragraphs and `- ` lists; other text is not interpreted as markup. */
const prose = (text: string): ReadonlyArray<Html> =>
  text
    .split(/\n{2,}/)
    .flatMap((block) => runs(block.split("\n").filter((line) => line.trim() !== "")))
    .map((lines) =>
      ITEM.test(lines[0]!)
        ? markup`<ul>${lines.map((line) => markup`<li>${line.replace(ITEM, "")}</li>`)}</ul>`
        : markup`<p>${lines.map((line, index) => (index === 0 ? markup`${line}` : markup`<br>${line}`))}</p>`,
    )

const noteLines = (notes: ReadonlyArray<string>): ReadonlyArray<Html> =>
  notes.map((note) => markup`<p class="small">${note}</p>`)

/** Rows beyond which a table scrolls in a frame. */
const MAX_UNFRAMED_ROWS = 14

const table = (shown: ReportTable): Html => {
  const head = shown.columns.map((column) =>
    isNumeric(column)
      ? markup`<th scope="col" class="n">${titleOf(column)}</th>`
      : markup`<th scope="col">${titleOf(column)}</th>`,
  )
  const decimals = new Map(
    shown.columns.map((column) => [column.name, decimalsOf(shown.rows, column)] as const),
  )
  const rows = shown.rows.map((row) => {
    const cells = shown.columns.map((column) => {
      const value = formatValue(row[column.name], column, decimals.get(column.name))
      const kind =
        value === MISSING ? "none" : isNumeric(column) ? "n" : column.type === "date" ? "d" : ""
      return kind === "" ? markup`<td>${value}</td>` : markup`<td class="${kind}">${value}</td>`
    })
    return markup`<tr>${cells}</tr>`
  })
  const count =
    shown.total === 0
      ? markup`<p class="small">No rows.</p>`
      : shown.total > shown.rows.length
        ? markup`<p class="small">The first ${shown.rows.length} of ${shown.total.toLocaleString("en-US")} rows.</p>`
        : undefined
  return markup`<section class="card"><h3>${shown.title}</h3>${noteLines(shown.notes)}${
    shown.rows.length > 0 &&
    markup`<div class="${shown.rows.length > MAX_UNFRAMED_ROWS ? "scroll long" : "scroll"}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`
  }${count}</section>`
}

const chart = (shown: Report["charts"][number]): Html =>
  markup`<figure class="card chart"><div class="scroll" tabindex="0">${svgMarkup(shown.svg, shown.alt)}</div></figure>`

const requirementWords = (id: string): Html => {
  const [kind, ...rest] = id.split(":")
  const label = rest.join(":")
  return label === ""
    ? markup`${id}`
    : markup`${label} <span class="small">${kind!.replaceAll("_", " ")}</span>`
}

const matrix = ({ matrix: met, steps }: Report): Html | undefined => {
  if (met.size === 0) return undefined
  const head = steps.map(({ id }) => markup`<th scope="col"><code>${id}</code></th>`)
  const rows = [...met].map(([requirement, ids]) => {
    const cells = steps.map(({ id }) =>
      ids.includes(id)
        ? markup`<td class="yes" aria-label="met by ${id}">✓</td>`
        : markup`<td></td>`,
    )
    return markup`<tr><th scope="row">${requirementWords(requirement)}</th>${cells}</tr>`
  })
  return markup`<h2>What was asked, and which step answers it</h2><div class="card scroll" tabindex="0"><table class="matrix"><thead><tr><th scope="col">Requirement</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`
}

const step = (shown: ReportStep): Html => {
  const params =
    Object.keys(shown.params).length === 0 ? undefined : JSON.stringify(shown.params, null, 2)
  const from =
    shown.inputs.length === 0
      ? undefined
      : markup` <span class="small">from ${shown.inputs.join(", ")}</span>`
  return markup`<li><strong>${shown.tool.replaceAll("_", " ")}</strong> <code>${shown.id}</code>${from}${
    shown.rationale !== undefined && markup`<p>${shown.rationale}</p>`
  }${params !== undefined && markup`<details><summary>arguments</summary><pre>${params}</pre></details>`}</li>`
}

const plan = ({ steps }: Report): Html | undefined =>
  steps.length === 0
    ? undefined
    : markup`<h2>How it was done</h2><div class="card"><ol class="plan">${steps.map(step)}</ol></div>`

/** Content security policy: only inline style and data URL images. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

export const renderReport = (report: Report): string => {
  const heading = report.title ?? (report.question === "" ? "Report" : report.question)
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light dark"><title>${heading}</title><style>${new Html(style)}</style></head>
<body><main><p class="eyebrow">Report</p><h1>${heading}</h1>${
    report.title !== undefined &&
    report.question !== "" &&
    markup`<p class="small">${report.question}</p>`
  }${report.answer !== "" && markup`<div class="answer">${prose(report.answer)}</div>`}${
    report.notes.length > 0 &&
    markup`<div class="warn">${report.notes.map((note) => markup`<p>${note}</p>`)}</div>`
  }${report.charts.map(chart)}${report.tables.length > 0 && markup`<h2>Numbers</h2>${report.tables.map(table)}`}${matrix(report)}${plan(report)}<footer>Made by Planloom. This page needs no network.</footer></main></body></html>
`
  return page.text
}
