/** Figures of the tables of the conference guide: misspelled names, names as they are, and other languages. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exhibitors, sessions, speakers } from "../../../../examples/guide/generate.ts"
import { misspelled, mistakes } from "../../../../examples/guide/misspelled.ts"
import { DocumentIndex, isFound } from "../src/index.ts"

const tables = { sessions, exhibitors, speakers }
type Table = keyof typeof tables

const { signal } = new AbortController()
const folder = mkdtempSync(join(tmpdir(), "planloom-misspellings-"))
const indexes = new Map<Table, DocumentIndex>()

beforeAll(async () => {
  for (const name of Object.keys(tables) as ReadonlyArray<Table>) {
    const file = join(import.meta.dirname, `../../../../examples/guide/${name}.csv`)
    const index = new DocumentIndex(join(folder, `${name}.sqlite`), { rows: [{ file, name }] })
    await index.sync({ signal })
    indexes.set(name, index)
  }
})
afterAll(() => {
  for (const index of indexes.values()) index.close()
  rmSync(folder, { recursive: true, force: true })
})

const namesIn = (table: Table): ReadonlyArray<string> =>
  tables[table]
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/,(?! )/)[0]!)

/** As the guide searches at first. */
const search = (table: Table, query: string, known?: ReadonlySet<string>) =>
  indexes.get(table)!.search(query, {
    limit: 20,
    mode: "faceted",
    threshold: 0.4,
    ...(known !== undefined && { known }),
  })

/** The outcome of a query for a row: its row is found, nothing is found and the visitor is asked, or other rows are found. */
const outcomeOf = (table: Table, query: string, name: string): "found" | "asked" | "wrong" => {
  const hits = search(table, query).hits.filter((hit) => isFound(hit))
  if (hits.length === 0) return "asked"
  return hits.some(({ text }) => text.includes(name)) ? "found" : "wrong"
}

/** The figures are those of this seed. */
const SEED = 1

const random = (state: number) => () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

describe("a name with a misspelled word", () => {
  it.each([
    { table: "sessions", found: 477, asked: 0 },
    { table: "exhibitors", found: 452, asked: 26 },
    { table: "speakers", found: 406, asked: 71 },
  ] as const)(
    "of $table is found $found times, asked about $asked times, and never another one is found",
    ({ table, ...right }) => {
      const next = random(SEED)
      const counts = { found: 0, asked: 0, wrong: 0 }
      for (const name of namesIn(table))
        for (const mistake of mistakes) {
          const words = name.split(" ")
          const long = [...words.keys()].filter((at) => /^\p{L}{4,}$/u.test(words[at]!))
          const at = long[Math.floor(next() * long.length)]!
          const wrong = misspelled(words[at]!, mistake, Math.floor(next() * 1000))
          if (wrong === words[at]) continue
          counts[outcomeOf(table, words.with(at, wrong).join(" "), name)]++
        }
      expect(counts).toEqual({ ...right, wrong: 0 })
    },
  )
})

it("a name as it is written is found as if no word were ever read as another one", () => {
  for (const table of Object.keys(tables) as ReadonlyArray<Table>)
    for (const name of namesIn(table)) {
      const words = new Set(name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu))
      expect(search(table, name)).toEqual(search(table, name, words))
    }
})

it("names without their accents are found", () => {
  for (const name of namesIn("speakers").filter((one) => /[^\p{ASCII}]/u.test(one)))
    expect(outcomeOf("speakers", name.normalize("NFD").replace(/\p{M}/gu, ""), name)).toBe("found")
})

it.each([
  ["¿Hay charlas sobre accesibilidad?", "asked"],
  ["Vorträge über Barrierefreiheit", "asked"],
  ["Wer spricht über Betrugserkennung?", "asked"],
  ["conférences sur la protection des données", "asked"],
  ["palestras sobre aprendizado por reforço", "asked"],
  ["interventi sulla sicurezza delle applicazioni", "asked"],
  ["förstärkningsinlärning", "asked"],
  ["Робототехника", "asked"],
  ["机器人", "asked"],
  // Words that are nearly the English ones.
  ["Robotik und Sicherheit", "asked"],
  ["robótica", "found"],
  ["criptografía", "asked"],
] as const)("%s, without a model, is %s", (query, outcome) => {
  const isAnswered = search("sessions", query).hits.some((hit) => isFound(hit))
  expect(isAnswered ? "found" : "asked").toBe(outcome)
})
