/** Cuts a request into the things it asks for. */

const cuts =
  /[.!?;\n]+(?:\s|$)|,?\s+(?:and then|and also|after that|afterwards|then|additionally|furthermore|moreover|as well as|also)\s+|,\s+(?:and|but|so)\s+|\s+and\s+(?=(?:also|then|please|can|could|what|how|who|where|when|which|find|get|show|tell|give|make|create|send|book|recommend|suggest|provide|search|check|calculate|compute|list|is|are|do|does|any)\b)/i

/** What ties a clause to the one before it and says nothing itself. */
const tie = /^(?:(?:and|also|then|next|finally|additionally),?\s+)+/i

/**
 * The clauses of a request, in order; one clause when there is nothing to cut. Fragments of fewer than
 * two words stay with the clause before them.
 */
export const clauses = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const piece of text.split(cuts)) {
    const clause = piece.trim().replace(tie, "")
    if (clause === "") continue
    if (clause.split(/\s+/).length < 2 && found.length > 0) found.push(`${found.pop()} ${clause}`)
    else found.push(clause)
  }
  return found
}
