/** Answers to questions on documentation: whether a model reads the passage, among five of at most 6,000 characters. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DocumentIndex } from "../src/index.ts"
import { copyCorpus, isHeldOut, MOST, questions, rankOf, wordingsOf } from "./Questions.ts"

let folder: string
let index: DocumentIndex

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "questions-"))
  copyCorpus(folder)
  index = new DocumentIndex(join(folder, "index.sqlite"), {
    folder: { root: folder, include: ["**/*.md"] },
  })
  await index.sync({ signal: new AbortController().signal })
})

afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true })
})

describe("a hundred questions in words of users", () => {
  it("are answered no worse than measured, by words alone", () => {
    const ranks = questions()
      .filter((question) => !isHeldOut(question))
      .map((question) =>
        rankOf(question, index.search(question.ask, { limit: MOST.passages }).hits),
      )
    const answered = ranks.filter((rank) => rank > 0).length
    process.stdout.write(
      `${answered} of ${ranks.length} questions of the seen half are answered by words alone\n`,
    )
    expect(answered).toBeGreaterThanOrEqual(21)
  })

  it("are answered by other wordings that a model wrote, no worse than measured", () => {
    const wordings = wordingsOf()
    const answered = questions()
      .filter((question) => !isHeldOut(question))
      .filter((question) => {
        const options = { limit: MOST.passages, wordings: wordings.get(question.ask) }
        return rankOf(question, index.search(question.ask, options).hits) > 0
      })
    process.stdout.write(`${answered.length} with other wordings\n`)
    expect(answered.length).toBeGreaterThanOrEqual(44)
  })
})
