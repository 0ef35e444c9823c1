/** Splits a text into passages by heading and paragraph, each with its place. */

export interface Passage {
  /** From 1. */
  readonly line: number
  /** The Markdown heading that it stands under; empty before the first. */
  readonly heading: string
  readonly text: string
}

/** Characters of a passage: paragraphs of a heading stay together up to this. */
export const MAX_PASSAGE = 1000

const HEADING = /^#{1,6}\s+(.+?)\s*#*$/

/** Cuts what is longer at spaces, so that each part stays within the limit. */
const cut = (passage: Passage): ReadonlyArray<Passage> => {
  const { heading, line, text } = passage
  if (text.length <= MAX_PASSAGE) return [passage]
  const space = text.slice(0, MAX_PASSAGE).search(/\s\S*$/)
  const at = space > 0 ? space : MAX_PASSAGE
  const lines = text.slice(0, at).split("\n").length - 1
  return [
    { heading, line, text: text.slice(0, at) },
    ...cut({ heading, line: line + lines, text: text.slice(at).trim() }),
  ]
}

/** In reading order. A heading alone is no passage. */
export const passagesOf = (text: string): ReadonlyArray<Passage> => {
  const paragraphs: Array<Passage> = []
  let heading = ""
  let isOpen = false
  for (const [at, said] of text.split(/\r?\n/).entries()) {
    const found = HEADING.exec(said)
    if (found !== null) heading = found[1]!
    const last = paragraphs.at(-1)
    if (found !== null || said.trim() === "") isOpen = false
    else if (isOpen && last !== undefined)
      paragraphs.splice(-1, 1, { ...last, text: `${last.text}\n${said}` })
    else {
      paragraphs.push({ line: at + 1, heading, text: said })
      isOpen = true
    }
  }
  return joined(paragraphs).flatMap(cut)
}

/** Neighbors under one heading, together while they fit. */
const joined = (paragraphs: ReadonlyArray<Passage>): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  for (const one of paragraphs) {
    const last = passages.at(-1)
    const fits = last !== undefined && last.text.length + one.text.length + 2 <= MAX_PASSAGE
    if (fits && last.heading === one.heading)
      passages.splice(-1, 1, { ...last, text: `${last.text}\n\n${one.text}` })
    else passages.push(one)
  }
  return passages
}
