/** Words that no passage has are read as words that are spelled nearly the same, and nothing else changes. */
import * as fc from "fast-check"
import { afterEach, describe, expect, it } from "vitest"
import { cases, seed } from "../../../../.config/cases.ts"
import { DocumentFile } from "../src/index/DocumentFile.ts"
import { addPassage, removePassages } from "../src/index/passages.ts"
import { isFound } from "../src/index/Hit.ts"
import { searchWords } from "../src/index/searchWords.ts"
import { wordsHeld } from "../src/index/weighTerms.ts"

let opened: Array<DocumentFile> = []

afterEach(() => {
  for (const file of opened) file.close()
  opened = []
})

const add = (index: DocumentFile, path: string, text: string) =>
  addPassage(
    index,
    path,
    0,
    {
      id: path,
      headings: [],
      lines: [1, 1],
      chars: [0, text.length],
      page: 1,
      isBare: false,
      text,
      columns: { about: text },
    },
    false,
  )

const indexOf = (texts: ReadonlyArray<string>): DocumentFile => {
  const index = new DocumentFile(":memory:")
  opened.push(index)
  index.write(() => {
    for (const [at, text] of texts.entries()) add(index, `${at}`, text)
  })
  return index
}

const search = (index: DocumentFile, query: string, mode: "faceted" | "master" = "master") =>
  searchWords(index, query, { limit: 50, mode })

/** No two of them are near each other. */
const vocabulary = "accessibility robotics Müller quartet lighthouse zebra vineyard".split(" ")
const fold = (word: string) => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
const word = fc.constantFrom(...vocabulary)
const texts = fc.array(
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
  { minLength: 1, maxLength: 6 },
)

/** A letter swapped with the next one, left out, doubled or replaced, behind the first one. */
const typo = (given: string, kind: number, at: number): string => {
  const letters = Array.from(fold(given))
  const place = 1 + (at % (letters.length - 2))
  const letter = letters[place]!
  if (kind === 0) letters.splice(place, 2, letters[place + 1]!, letter)
  if (kind === 1) letters.splice(place, 1)
  if (kind === 2) letters.splice(place, 1, letter, letter)
  if (kind === 3) letters.splice(place, 1, letter === "x" ? "w" : "x")
  return letters.join("")
}

describe("a search by words", () => {
  it("finds with a typo in a word what it finds with the word, and reports how it was read", () => {
    fc.assert(
      fc.property(
        texts,
        word,
        fc.nat({ max: 3 }),
        fc.nat(),
        fc.constantFrom("faceted" as const, "master" as const),
        (rows, right, kind, at, mode) => {
          const index = indexOf([...rows, right])
          const wrong = typo(right, kind, at)
          const [one, other] = [search(index, right, mode), search(index, wrong, mode)]
          const isSame = wrong === fold(right)
          expect(other.read).toEqual(isSame ? [] : [{ word: wrong, as: fold(right) }])
          expect(other.hits.map(({ id, score }) => [id, score])).toEqual(
            one.hits.map(({ id, score }) => [id, score]),
          )
          expect(other.unknown).toEqual([])
          for (const hit of other.hits) {
            expect(hit).toMatchObject({ matched: [isSame ? fold(right) : wrong], read: other.read })
            expect(isFound(hit)).toBe(true)
          }
        },
      ),
      { numRuns: cases(150), seed },
    )
  })

  it("changes nothing for a query whose words the passages have, or that is near none of them", () => {
    const other = fc.constantFrom("knitting", "fee", "42", "quantum", "zeb")
    fc.assert(
      fc.property(texts, fc.array(fc.oneof(word, other), { minLength: 1 }), (rows, words) => {
        const index = indexOf(rows)
        const query = words.join(" ")
        const asWritten = searchWords(index, query, {
          limit: 50,
          known: new Set(words.map((one) => one.toLowerCase())),
        })
        expect(search(index, query)).toEqual(asWritten)
        expect(asWritten.read).toEqual([])
      }),
      { numRuns: cases(100), seed },
    )
  })

  it.each([
    ["two words are equally near", ["lane cove", "late cove"], "lake"],
    ["it has less than four letters", ["tea"], "tae"],
    ["it has a digit", ["route 66"], "rout6"],
    ["only a word of grammar is near", ["there they are"], "thete"],
    ["another word begins with another letter", ["lottery"], "pottery"],
    ["a word of up to seven letters has two typos", ["zebra"], "zebbraa"],
  ])("reads no word as another one where %s", (_, rows, query) => {
    const { hits, read, unknown } = search(indexOf(rows), query)
    expect({ hits, read, unknown }).toEqual({ hits: [], read: [], unknown: [query] })
  })

  it("takes forms of one word for one, and a word of the query for none", () => {
    const index = indexOf(["robotic robotics", "robotics robotic arms"])
    expect(search(index, "robotiks").read).toEqual([{ word: "robotiks", as: "robotics" }])
    expect(search(index, "robotics robotiks").unknown).toEqual(["robotiks"])
  })

  it("reads no word of a removed passage, and none that another library has", () => {
    const index = indexOf(["zebra", "lighthouse"])
    expect(wordsHeld(index, "zebra zbera", {})).toEqual(["zebra"])
    expect(searchWords(index, "zbera", { limit: 5, known: new Set(["zbera"]) }).read).toEqual([])
    expect(search(index, "zbera").read).toHaveLength(1)
    index.write(() => removePassages(index, "0"))
    expect(search(index, "zbera")).toEqual({ hits: [], unknown: ["zbera"], read: [] })
  })
})
