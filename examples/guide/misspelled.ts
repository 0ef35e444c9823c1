/** Misspellings of words by a seed: two letters swapped, one left out, doubled, or replaced by a neighbor on the keyboard. */

export const mistakes = ["swap", "drop", "double", "neighbor"] as const
export type Mistake = (typeof mistakes)[number]

const keyboard = ["qwertyuiop", "asdfghjkl", "zxcvbnm"]

const neighborOf = (letter: string): string => {
  const row = keyboard.find((one) => one.includes(letter.toLowerCase()))
  if (row === undefined) return "x"
  const at = row.indexOf(letter.toLowerCase())
  return row[at + 1] ?? row[at - 1]!
}

/** The word with the mistake at a place; the same word where the mistake changes nothing, as a swap of equal letters. */
export const misspelled = (word: string, mistake: Mistake, place: number): string => {
  const letters = Array.from(word)
  const at = place % (mistake === "swap" ? letters.length - 1 : letters.length)
  const letter = letters[at]!
  switch (mistake) {
    case "swap":
      letters.splice(at, 2, letters[at + 1]!, letter)
      break
    case "drop":
      letters.splice(at, 1)
      break
    case "double":
      letters.splice(at, 1, letter, letter)
      break
    case "neighbor":
      letters.splice(at, 1, neighborOf(letter))
      break
  }
  return letters.join("")
}
