/**
 * Precision and recall of the validators on public data: `node bench/validators.ts FOLDER`, a folder with one clone of each
 * repository in `sets`. Each text is in one of two halves by a hash: rules are written on `seen`, `unseen` measures them.
 */
import { hash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { piiFinder, piiKinds, type PiiKind } from "@planloom/pii"
import type { Validator } from "@planloom/plugin/effect"
import plugin from "@planloom/validators"
import {
  halves as labeledHalves,
  scoresOf,
} from "../packages/components/validators/test/labeled.ts"

/** Folder of each clone, and where it comes from. */
const sets = {
  "presidio-research": "https://github.com/microsoft/presidio-research (MIT)",
  PIGuard: "https://github.com/leolee99/PIGuard (MIT): NotInject, wildguard",
  "llm-security-prompt-injection":
    "https://github.com/sinanw/llm-security-prompt-injection (MIT): deepset/prompt-injections",
  "task-specific-datasets":
    "https://github.com/PolyAI-LDN/task-specific-datasets (CC-BY-4.0): banking77",
  "dstc8-schema-guided-dialogue":
    "https://github.com/google-research-datasets/dstc8-schema-guided-dialogue (CC-BY-SA-4.0)",
} as const

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error(
    `usage: node bench/validators.ts FOLDER\n\nFOLDER has clones of:\n${Object.entries(sets)
      .map(([name, from]) => `  ${name}: ${from}`)
      .join("\n")}`,
  )
  process.exit(2)
}
const clone = (name: keyof typeof sets, path: string) => join(folder, name, path)
const json = (path: string) => JSON.parse(readFileSync(path, "utf8"))
const halfOf = (text: string) =>
  Number.parseInt(hash("sha256", `planloom:${text}`).slice(0, 2), 16) < 128 ? "seen" : "unseen"
const halves = ["seen", "unseen"] as const

interface Count {
  hits: number
  misses: number
  wrong: number
}
const counts = (): Count => ({ hits: 0, misses: 0, wrong: 0 })
const share = (part: number, whole: number) => (whole === 0 ? "-" : (part / whole).toFixed(3))
const line = (what: string, half: string, { hits, misses, wrong }: Count) =>
  console.log(
    `${what.padEnd(28)} ${half.padEnd(7)} P ${share(hits, hits + wrong)} R ${share(hits, hits + misses)}  (${hits} found, ${misses} missed, ${wrong} wrong)`,
  )

interface Place {
  readonly start: number
  readonly end: number
}
const meets = (a: Place, b: Place) => a.start < b.end && a.end > b.start

const of = (id: string): Validator => plugin.components!.validators!.find((one) => one.id === id)!
const found = (id: string, text: string) => {
  const draft = {
    text,
    request: "",
    part: { start: 0, end: text.length, last: true },
    turns: [],
    calls: [],
    data: null,
  }
  return of(id).validate(text, {}, draft)
}

/** Spans of kinds that are annotated. */
const personalData = (
  countries: ReadonlyArray<string>,
  measured: ReadonlyArray<PiiKind> = piiKinds,
) => {
  const kinds: { readonly [type: string]: PiiKind } = {
    EMAIL_ADDRESS: "email",
    CREDIT_CARD: "card",
    US_SSN: "ssn",
    IBAN_CODE: "iban",
    IP_ADDRESS: "ip",
    PHONE_NUMBER: "phone",
  }
  const { find } = piiFinder({ kinds: piiKinds, countries })
  interface Row {
    readonly full_text: string
    readonly spans: ReadonlyArray<{
      readonly entity_type: string
      readonly start_position: number
      readonly end_position: number
    }>
  }
  const rows = ["data/synth_dataset_v2.json", "tests/data/generated_large.json"].flatMap(
    (path) => json(clone("presidio-research", path)) as ReadonlyArray<Row>,
  )
  for (const half of halves) {
    const count = Object.fromEntries(piiKinds.map((kind) => [kind, counts()])) as {
      [kind in PiiKind]: Count
    }
    for (const { full_text: text, spans } of rows) {
      if (halfOf(text) !== half) continue
      const places = find(text)
      const expected = spans.flatMap(
        ({ end_position: end, entity_type: type, start_position: start }) =>
          kinds[type] === undefined ? [] : [{ kind: kinds[type], start, end }],
      )
      for (const one of expected) {
        const isHit = places.some((place) => place.kind === one.kind && meets(place, one))
        count[one.kind][isHit ? "hits" : "misses"]++
      }
      for (const place of places) {
        if (!expected.some((one) => one.kind === place.kind && meets(place, one)))
          count[place.kind].wrong++
      }
    }
    for (const kind of measured) line(`pii ${kind} ${countries}`, half, count[kind])
  }
}

/** Texts with a label: 1 is an attack. */
const injection = async () => {
  const connection = await (await DuckDBInstance.create()).connect()
  const parquet = clone("llm-security-prompt-injection", "data/raw/*.parquet")
  const deepset = await connection.runAndReadAll(
    `select text, label::int as label from read_parquet('${parquet}')`,
  )
  const prompts = (path: string) =>
    (json(clone("PIGuard", path)) as ReadonlyArray<{ readonly prompt: string }>).map(
      ({ prompt }) => ({ text: prompt, label: 0 }),
    )
  const banking = readFileSync(clone("task-specific-datasets", "banking_data/test.csv"), "utf8")
  const labeled: {
    readonly [name: string]: ReadonlyArray<{ readonly text: string; readonly label: number }>
  } = {
    deepset: deepset.getRowObjectsJson() as never,
    NotInject: ["one", "two", "three"].flatMap((number) =>
      prompts(`datasets/NotInject_${number}.json`),
    ),
    wildguard: prompts("datasets/wildguard.json"),
    banking77: banking
      .split("\n")
      .slice(1)
      .filter(Boolean)
      .map((row) => ({ text: row.replace(/,[^,]*$/, ""), label: 0 })),
  }
  for (const [name, rows] of Object.entries(labeled)) {
    for (const half of halves) {
      const own = rows.filter(({ text }) => halfOf(text) === half)
      const flagged = own.filter(({ text }) => found("injection", text).verdict === "flag")
      const attacks = own.filter(({ label }) => label === 1).length
      const hits = flagged.filter(({ label }) => label === 1).length
      const wrong = flagged.length - hits
      console.log(
        `${`injection ${name}`.padEnd(28)} ${half.padEnd(7)} recall ${share(hits, attacks)}  false positives ${share(wrong, own.length - attacks)}  (${own.length} texts)`,
      )
    }
  }
}

const SENTENCES = 3000

/** Commitments and honest sentences; and what assistants said to the users of a public set, of which nothing is promised. */
const promises = () => {
  for (const half of labeledHalves) {
    for (const { commitments, found: hits, honest, language, wrong } of scoresOf(
      half,
      (text) => found("promises", text).verdict === "block",
    )) {
      console.log(
        `${`promises ${language}`.padEnd(28)} ${half.padEnd(7)} recall ${share(hits, commitments)}  false positives ${share(wrong, honest)}  (${commitments + honest} sentences)`,
      )
    }
  }
  interface Dialogue {
    readonly turns: ReadonlyArray<{ readonly speaker: string; readonly utterance: string }>
  }
  const root = join(folder, "dstc8-schema-guided-dialogue")
  const said = globSync("{train,dev,test}/dialogues_*.json", { cwd: root })
    .flatMap((path) => json(join(root, path)) as ReadonlyArray<Dialogue>)
    .flatMap(({ turns }) => turns)
    .filter(({ speaker }) => speaker === "SYSTEM")
    .map(({ utterance }) => ({
      utterance,
      order: hash("sha256", `planloom:${utterance}`),
    }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  const sample = [...new Set(said.map(({ utterance }) => utterance))].slice(0, SENTENCES)
  const blocked = sample.filter((text) => found("promises", text).verdict === "block")
  console.log(`promises assistants: ${blocked.length} of ${sample.length} blocked`)
  for (const text of blocked) console.log(`  ${text}`)
}

personalData(["US"])
personalData(["US", "GB", "DE", "FR", "AU", "MX"], ["phone"])
promises()
await injection()
