/** Model text → what the model says to the reader, and what it says to itself. */

export interface Split {
  readonly text: string
  /** What stood in reasoning tags, joined by blank lines; empty without any. */
  readonly reasoning: string
}

const closing = /<\/(?:reasoning|think|thinking)>/i
/** Code is looked over: a tag in it is what the text is about. */
const opening = /```[\s\S]*?(?:```|$)|`[^`\n]*`|<(reasoning|think|thinking)>/gi

/**
 * Takes `<reasoning>`, `<think>` and `<thinking>` out, also one that begins a line and is never closed (within a
 * sentence it is what the sentence is about), and all that comes
 * before a closing tag alone at the front: some models' templates write the opening tag for them.
 */
export const splitReasoning = (whole: string): Split => {
  if (
    !whole.includes("<") ||
    !(closing.test(whole) || /<(?:reasoning|think|thinking)>/i.test(whole))
  )
    return { text: whole, reasoning: "" }
  const thoughts: Array<string> = []
  const said: Array<string> = []
  let at = afterLoneClosing(whole)
  if (at > 0) thoughts.push(whole.slice(0, whole.lastIndexOf("</", at - 1)))
  const lower = whole.toLowerCase()
  const neverClosed = new Set<string>()
  opening.lastIndex = at
  for (let match = opening.exec(whole); match !== null; match = opening.exec(whole)) {
    const tag = match[1]?.toLowerCase()
    if (tag === undefined) continue
    const begin = match.index + match[0].length
    const end = neverClosed.has(tag) ? -1 : lower.indexOf(`</${tag}>`, begin)
    if (end < 0) neverClosed.add(tag)
    if (end < 0 && !beginsLine(whole, match.index)) continue
    said.push(whole.slice(at, match.index))
    thoughts.push(whole.slice(begin, end < 0 ? undefined : end))
    at = end < 0 ? whole.length : end + tag.length + 3
    opening.lastIndex = at
  }
  said.push(whole.slice(at))
  return {
    text: said.join("").trim(),
    reasoning: thoughts
      .map((thought) => thought.trim())
      .filter((thought) => thought !== "")
      .join("\n\n"),
  }
}

const beginsLine = (whole: string, index: number): boolean => {
  let before = index - 1
  while (whole[before] === " " || whole[before] === "\t") before--
  return before < 0 || whole[before] === "\n"
}

/** 0 when the first tag, code aside, opens. */
const afterLoneClosing = (whole: string): number => {
  const tags = /```[\s\S]*?(?:```|$)|`[^`\n]*`|<(\/?)(?:think|thinking)>/gi
  for (let match = tags.exec(whole); match !== null; match = tags.exec(whole)) {
    if (match[1] !== undefined) return match[1] === "/" ? tags.lastIndex : 0
  }
  return 0
}
