/** Replies cut to the length that is read at a glance. */

/** A reply has fewer words than this. */
const MAX_WORDS = 20

const countWords = (text: string): number => text.split(/\s+/).filter((one) => one !== "").length

/** Ends after the last whole sentence that fits, else after the last word that does. */
export const shortReply = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  if (countWords(line) < MAX_WORDS) return line
  let kept = ""
  for (const sentence of line.split(/(?<=[.!?])\s+/)) {
    const longer = kept === "" ? sentence : `${kept} ${sentence}`
    if (countWords(longer) >= MAX_WORDS) break
    kept = longer
  }
  return kept === ""
    ? `${line
        .split(" ")
        .slice(0, MAX_WORDS - 1)
        .join(" ")}…`
    : kept
}
