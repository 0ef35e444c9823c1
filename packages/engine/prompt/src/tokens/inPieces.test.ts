/** What the tokenizer is given at a time: its work grows with the square of a run without a break. */
import { assert, describe, it } from "@effect/vitest"
import { inPieces } from "./tokens.ts"

/** The longest run of letters or of white space in any piece, and the pieces together. */
const piecesOf = (text: string) => {
  const pieces: Array<string> = []
  inPieces(text, (piece) => {
    pieces.push(piece)
    return 0
  })
  const runs = pieces.flatMap((piece) => piece.match(/\s+|\S+/g) ?? [])
  return { whole: pieces.join(""), longest: Math.max(...runs.map((run) => run.length)) }
}

describe("a text whose tokens are counted", () => {
  it.each([
    ["letters", "a".repeat(100_000)],
    ["spaces", " ".repeat(100_000)],
    ["line ends", `a${"\n".repeat(100_000)}b`],
    ["words between long gaps", `word${" ".repeat(5000)}`.repeat(20)],
  ])("is cut within %s on end, and nothing of it is lost", (_name, text) => {
    const { longest, whole } = piecesOf(text)
    assert.isAtMost(longest, 1000)
    assert.strictEqual(whole, text)
  })

  it("is left whole where its words and gaps are short", () => {
    let pieces = 0
    inPieces("North leads.\n\n".repeat(10_000), () => pieces++)
    assert.strictEqual(pieces, 1)
  })
})
