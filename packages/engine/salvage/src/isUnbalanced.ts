/** Whether a bracket in a text lacks its partner. `isCut`: closing brackets at its end may be missing. */
export const isUnbalanced = (text: string, isCut = false): boolean => {
  const open: Array<string> = []
  for (const [bracket] of text.matchAll(/[{}[\]]/g)) {
    if (bracket === "{" || bracket === "[") open.push(bracket)
    else if (open.pop() !== (bracket === "}" ? "{" : "[")) return true
  }
  return !isCut && open.length > 0
}
