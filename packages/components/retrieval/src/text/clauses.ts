/** Splits a request into clauses. */

const separators =
  /[.!?;\n]+(?:\s|$)|,?\s+(?:and then|and also|after that|afterwards|then|additionally|furthermore|moreover|as well as|also)\s+|,\s+(?:and|but|so)\s+|\s+and\s+(?=(?:also|then|please|can|could|what|how|who|where|when|which|find|get|show|tell|give|make|create|send|book|recommend|suggest|provide|search|check|calculate|compute|list|is|are|do|does|any)\b)/i

/** Leading connectives of a clause, which carry no meaning. */
const connectives = /^(?:(?:and|also|then|next|finally|additionally),?\s+)+/i

/**
 * The clauses of a request in order; a single clause if it has no separators. Fragments of one word join the previous
 * clause.
 */
export const clauses = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  // One space between words: the separators would try each of a long run.
  const spaced = text.replace(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "))
  for (const piece of spaced.split(separators)) {
    const clause = piece.trim().replace(connectives, "")
    if (clause === "") continue
    if (clause.split(/\s+/).length < 2 && found.length > 0) found.push(`${found.pop()} ${clause}`)
    else found.push(clause)
  }
  return found
}
