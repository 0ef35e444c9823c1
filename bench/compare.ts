/**
 * Compares the speed of this tree with that of a commit: `pnpm bench compare <ref> [--only word] [--rounds 3]`. Both are
 * packed and installed as users get them, and the same scripts (`works`, `hosts`) measure them in turns, each time in a
 * process of its own. The exit code is 1 if a figure of this tree is worse by more than 5 %.
 */
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { commandFor, figures, type Figure } from "./compare/figures.ts"
import { enter, type Side } from "./compare/Side.ts"
import { treeOf, workingTree } from "./compare/trees.ts"
import { measure, type Measured } from "./compare/measure.ts"
import { changeOf, tableOf, type Row } from "./compare/Row.ts"

const usage = "usage: pnpm bench compare <ref> [--only word]… [--rounds 3]"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true, default: [""] },
    rounds: { type: "string", default: "3" },
  },
})
const [ref, ...more] = positionals
const rounds = Number(values.rounds)
const wanted = figures.filter(({ id, title }) =>
  values.only.some((word) => id.includes(word) || title.includes(word)),
)
if (ref === undefined || more.length > 0 || !(rounds >= 1) || wanted.length === 0) {
  console.error(
    `${usage}\n\nfigures:\n${figures.map(({ id, title }) => `  ${id.padEnd(16)}${title}`).join("\n")}`,
  )
  process.exit(2)
}

const say = (text: string) => process.stderr.write(`${text}\n`)

/** A commit that git does not know, or a tree that does not build, is the caller's to repair: no stack. */
const entered = (): ReadonlyArray<Side> => {
  try {
    return [enter(treeOf(ref), ref, say), enter(workingTree(), "this tree", say)]
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(2)
  }
}

const sides = entered()
const [base, here] = sides as readonly [Side, Side]

/** Minima of each figure, by side. */
const least = new Map<Figure, readonly [Measured, Measured]>(
  wanted.map((figure) => [figure, [new Map(), new Map()]]),
)
/** What a side cannot do, with its reason. */
const failures = new Map<Figure, readonly [side: Side, reason: string]>()

const measureRound = (figure: Figure, round: number) => {
  // Neither side is always the first.
  for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
    if (failures.has(figure)) return
    const side = sides[index]!
    const found = measure(side.folder, commandFor(figure))
    if (typeof found === "string") failures.set(figure, [side, found])
    else {
      const own = least.get(figure)![index]
      for (const [unit, value] of found) own.set(unit, Math.min(own.get(unit) ?? Infinity, value))
    }
  }
}

const rowsOf = (figure: Figure): ReadonlyArray<Row> => {
  const [before, now] = least.get(figure)!
  return [...now].map(([unit, value]) => ({ figure, unit, before: before.get(unit)!, now: value }))
}

try {
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}`)
    for (const figure of wanted) measureRound(figure, round)
  }
  const differing = wanted.filter(
    (figure) => !failures.has(figure) && rowsOf(figure).some((row) => changeOf(row) !== "same"),
  )
  // A process may by chance be compiled worse than others: what differs is measured twice as often.
  if (differing.length > 0) say(`${differing.length} differ, and are measured again`)
  for (let round = 0; round < rounds; round++) {
    for (const figure of differing) measureRound(figure, round)
  }
} finally {
  for (const side of sides) side.leave()
}

const rows = wanted.filter((figure) => !failures.has(figure)).flatMap(rowsOf)
console.log(
  `least of ${rounds} interleaved rounds (twice as many where they differ), Node ${process.versions.node}, load ${loadavg()[0]!.toFixed(1)}\n`,
)
console.log(tableOf(rows, base.name, here.name))
for (const [{ id }, [{ name }, reason]] of failures)
  console.log(`\n${id} fails on ${name}:\n${reason}`)
const noisy = rows.filter((row) => row.figure.isControl === true && changeOf(row) !== "same")
if (noisy.length > 0) {
  console.log(
    "\nThe control differs, which has no code of ours: measure again on a calmer machine.",
  )
}
const differing = rows.filter((row) => row.figure.isControl !== true && changeOf(row) !== "same")
console.log(`\n${differing.length} of ${rows.length} figures differ by more than 5 %`)
for (const row of differing) {
  console.log(`${changeOf(row)}: ${row.figure.title}, ${row.unit}`)
}
const isWorse =
  differing.some((row) => changeOf(row) === "worse") ||
  [...failures.values()].some(([side]) => side === here)
process.exitCode = isWorse ? 1 : 0
