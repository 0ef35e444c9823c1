/**
 * Precision and recall of `secrets` beside secretlint and gitleaks, on the fixtures of both: `node bench/secrets.ts FOLDER
 * [--half seen|unseen] [--misses]`, a folder with clones of `secretlint` and `gitleaks`. A digest of its id puts each rule into one half.
 */
import { hash } from "node:crypto"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { gitleaks, planloom, secretlint, type Finder } from "./secrets/contenders.ts"
import { goFixtures, type Fixture } from "./secrets/goFixtures.ts"
import { lintFixtures } from "./secrets/lintFixtures.ts"

const {
  positionals: [folder],
  values: { half: only, misses = false },
} = parseArgs({
  allowPositionals: true,
  options: { half: { type: "string" }, misses: { type: "boolean" } },
})
if (folder === undefined) {
  console.error("usage: node bench/secrets.ts FOLDER [--half seen|unseen] [--misses]")
  process.exit(2)
}

const halfOf = (rule: string) =>
  Number.parseInt(hash("sha256", `planloom:rule:${rule}`).slice(0, 2), 16) < 128 ? "seen" : "unseen"

const sets: { readonly [name: string]: ReadonlyArray<Fixture> } = {
  secretlint: lintFixtures(join(folder, "secretlint")),
  gitleaks: goFixtures(join(folder, "gitleaks")),
}
const finders: { readonly [name: string]: Finder } = {
  planloom,
  secretlint: await secretlint(),
  gitleaks: await gitleaks(join(folder, "gitleaks")),
}

const share = (part: number, whole: number) => (whole === 0 ? "-" : (part / whole).toFixed(3))

/** A secret counts as found if any of it is, or, where its place is not known, any of its text; a rule counts as much as each other, however many texts it has. */
const score = async (finder: Finder, fixtures: ReadonlyArray<Fixture>) => {
  const rules = new Map<string, { hits: number; secrets: number; wrong: number; clean: number }>()
  const wrong: Array<Fixture> = []
  for (const fixture of fixtures) {
    const rule = rules.get(fixture.rule) ?? { hits: 0, secrets: 0, wrong: 0, clean: 0 }
    rules.set(fixture.rule, rule)
    const { isSecret, ranges = [], text } = fixture
    const places = await finder(text)
    const whole = { start: 0, end: text.length }
    for (const range of isSecret && ranges.length > 0 ? ranges : [whole]) {
      const isFound = places.some((place) => place.start < range.end && place.end > range.start)
      rule[isSecret ? "secrets" : "clean"]++
      if (isFound) rule[isSecret ? "hits" : "wrong"]++
      if (isFound !== isSecret) wrong.push(fixture)
    }
  }
  const own = [...rules.values()]
  const of = (key: "hits" | "secrets" | "wrong" | "clean") =>
    own.reduce((sum, rule) => sum + rule[key], 0)
  const withSecrets = own.filter(({ secrets }) => secrets > 0)
  const byRule = withSecrets.reduce((sum, { hits, secrets }) => sum + hits / secrets, 0)
  return {
    wrong,
    line: `P ${share(of("hits"), of("hits") + of("wrong"))} R ${share(of("hits"), of("secrets"))}, by rule R ${share(byRule, withSecrets.length)}  (${of("hits")} of ${of("secrets")} secrets, ${of("wrong")} of ${of("clean")} texts without; ${own.length} rules)`,
  }
}

for (const [set, fixtures] of Object.entries(sets)) {
  for (const half of ["seen", "unseen"].filter((one) => only === undefined || one === only)) {
    const own = fixtures.filter(({ rule }) => halfOf(rule) === half)
    for (const [name, finder] of Object.entries(finders)) {
      const { line, wrong } = await score(finder, own)
      console.log(`${set.padEnd(11)} ${half.padEnd(7)} ${name.padEnd(11)} ${line}`)
      if (!misses || name !== "planloom") continue
      for (const { isSecret, rule, text } of wrong)
        console.log(
          `  ${isSecret ? "missed" : "wrong "} ${rule}: ${JSON.stringify(text.slice(0, 200))}`,
        )
    }
  }
}
