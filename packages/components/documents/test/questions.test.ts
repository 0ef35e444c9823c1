/** The labeled questions: their answers stand in the documents, so that a changed document is noticed where it changes. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { copyCorpus, isHeldOut, pathOf, questions } from "./Questions.ts"

it("each answer of a question stands in its document as often as it is labeled", () => {
  const folder = mkdtempSync(join(tmpdir(), "questions-"))
  try {
    copyCorpus(folder)
    const plain = (text: string) => text.replace(/\s+/g, " ")
    const missing = questions()
      .flatMap(({ answers }) => answers)
      .filter(({ file, text, times = 1 }) => {
        const whole = plain(readFileSync(join(folder, pathOf(file)), "utf8"))
        return whole.split(plain(text)).length !== times + 1
      })
    expect(missing).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it("about half of the hundred questions are held out", () => {
  expect(questions()).toHaveLength(100)
  expect(questions().filter(isHeldOut).length).toBeGreaterThan(40)
})
