/** The place of a passage for a person: `returns.md:3-5 Shop › Refunds`, `terms.pdf page 2`. */
import type { Style } from "../terminal/Style.ts"
import { oneLine, wrap } from "../terminal/text.ts"

export interface Place {
  readonly path: string
  readonly heading: string
  readonly page?: number
  readonly first_line?: number
  readonly last_line?: number
}

export const placeText = (place: Place, style: Style): string => {
  const { first_line: first, heading, last_line: last, page, path } = place
  const lines = first === undefined ? "" : `:${first}${first === last ? "" : `-${last}`}`
  const where = page === undefined ? lines : ` page ${page}`
  const title = heading === "" ? "" : ` ${style.dim(oneLine(heading))}`
  return `${style.name(oneLine(path))}${where}${title}`
}

/** The lines of a passage below its place. */
export const passageText = (text: string, width: number): string =>
  text
    .split("\n")
    .flatMap((line) => wrap(oneLine(line), width - 4))
    .map((line) => `    ${line}`.trimEnd())
    .join("\n")
