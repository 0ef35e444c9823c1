/** A picture of a terminal, as SVG, from text with the colors of the command. */

/** Pixels. */
const CELL = { width: 8.4, height: 20 }
const PADDING = 20
const BAR = 36

const BACKGROUND = "#14171c"
const colors: { readonly [code: number]: string } = {
  31: "#ff7b72",
  32: "#5fd0a5",
  33: "#f0b35a",
  35: "#c9a1ff",
  36: "#6cb6ff",
}

interface Look {
  readonly color?: string
  readonly isBold?: boolean
  readonly isDim?: boolean
}

/** The look after a code of SGR. */
const next = (look: Look, code: number): Look => {
  if (code === 1) return { ...look, isBold: true }
  if (code === 2) return { ...look, isDim: true }
  if (code === 22) return look.color === undefined ? {} : { color: look.color }
  const { color: _, ...rest } = look
  const color = colors[code]
  return color === undefined ? rest : { ...rest, color }
}

const attributes = ({ color, isBold, isDim }: Look): string =>
  [
    ...(color === undefined ? [] : [` fill="${color}"`]),
    ...(isBold ? [' font-weight="600"'] : []),
    ...(isDim ? [' opacity="0.62"'] : []),
  ].join("")

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** The words of a line, each at its column, so that columns meet in any font. */
const lineOf = (line: string, y: number): string => {
  let look: Look = {}
  let column = 0
  const words: Array<string> = []
  // oxlint-disable-next-line no-control-regex -- colors are control characters
  for (const [part, code] of line.matchAll(/\u001b\[(\d+)m|[^\u001b]+/g)) {
    if (code !== undefined) {
      look = next(look, Number(code))
      continue
    }
    for (const { 0: word, index } of part.matchAll(/\S+(?: \S+)*/g)) {
      const x = (PADDING + (column + index) * CELL.width).toFixed(1)
      words.push(
        `<text x="${x}" y="${y}" textLength="${(word.length * CELL.width).toFixed(1)}"${attributes(look)}>${escaped(word)}</text>`,
      )
    }
    column += part.length
  }
  return words.join("\n")
}

/** `columns` is the width of the terminal; `label` says what the picture shows. */
export const terminalPicture = (text: string, columns: number, label: string): string => {
  const lines = text.trimEnd().split("\n")
  const width = Math.ceil(columns * CELL.width + 2 * PADDING)
  const height = BAR + lines.length * CELL.height + PADDING
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}">
<rect width="${width}" height="${height}" rx="10" fill="${BACKGROUND}"/>
<g fill="#3a414b">${[0, 1, 2].map((index) => `<circle cx="${PADDING + 5 + index * 18}" cy="20" r="5.5"/>`).join("")}</g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#dfe3e8" lengthAdjust="spacing">
${lines
  .map((line, index) => lineOf(line, BAR + index * CELL.height + 15))
  .filter((line) => line !== "")
  .join("\n")}
</g>
</svg>
`
}
