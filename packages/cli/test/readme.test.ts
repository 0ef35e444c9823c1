/**
 * README.md shows what the command prints: its recordings are made anew here and may differ in times and ids of runs alone. To record again:
 * npx -y pnpm@12 exec vitest run --config .config/vitest.config.ts packages/cli/test/readme.test.ts -u
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunEvent } from "@planloom/plugin"
import { expect, it } from "vitest"
import type { RunResult } from "@planloom/core"
import { frame } from "../src/progress/frame.ts"
import { Progress } from "../src/progress/Progress.ts"
import { usageText } from "../src/run/ending.ts"
import { styleOf } from "../src/terminal/Style.ts"
import { lines, planloom } from "./planloom.ts"

const root = join(import.meta.dirname, "../../..")
const readme = join(root, "README.md")

/** Cells of a line in a terminal of 100 columns. */
const WIDTH = 99
/** Rows of a table that a reader needs to see what it holds. */
const ROWS = 4

/** The arguments that `pnpm demo` gives to the command. */
const demoArguments = async (): Promise<ReadonlyArray<string>> => {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly scripts: { readonly demo: string }
  }
  const words = scripts.demo.match(/(?:[^\s"]|"[^"]*")+/g) ?? []
  return words.slice(2).map((word) => word.replaceAll('"', ""))
}

/** What a terminal shows of the stages when the run is over; made from the run's own events. */
const stagesShown = (told: ReadonlyArray<{ readonly [key: string]: unknown }>): string => {
  const progress = new Progress()
  for (const event of told.slice(0, -1)) progress.push(event as unknown as RunEvent)
  const look = { style: styleOf(false), width: WIDTH, names: 15, now: 0 }
  const { settled } = frame(progress, 0, look, 40)
  return [...settled, usageText(told.at(-1) as unknown as RunResult)].join("\n")
}

/** Leaves out the rows of a long table but the first few. */
const shortened = (text: string): string => {
  const all = text.trimEnd().split("\n")
  const rule = all.findIndex((line) => line.startsWith("───"))
  const rest = all.findIndex((line) => /^… [\d,]+ more rows$/.test(line))
  if (rule < 0 || rest < 0) return all.join("\n")
  return [...all.slice(0, rule + 1 + ROWS), "…", ...all.slice(rest + 1)].join("\n")
}

/** Without times and ids of runs, which differ from run to run. */
const lasting = (text: string): string =>
  text
    .replaceAll(/ *\b[\d.,]+ (?:ms|s)\b/g, " some time")
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "some-run")

/** The file with the fenced block after `$ command` made of `printed`, unless only times and ids differ. */
const recorded = (text: string, command: string, printed: string): string => {
  const start = text.indexOf(`$ ${command}\n`)
  expect(start, `README.md shows ${command}`).toBeGreaterThan(0)
  const from = start + command.length + 3
  const to = text.indexOf("```", from)
  const before = text.slice(from, to).trimEnd()
  return lasting(before) === lasting(printed)
    ? text
    : `${text.slice(0, from)}${printed}\n${text.slice(to)}`
}

it("README.md shows the demo as it runs, and what a misspelt workflow is told", async () => {
  const text = await readFile(readme, "utf8")
  const demo = recorded(text, "npx -y pnpm@12 demo", await demoPrinted())
  const both = recorded(demo, "planloom check summarise.yaml", await mistakePrinted(text))
  await expect(both).toMatchFileSnapshot(readme)
})

const demoPrinted = async (): Promise<string> => {
  const args = await demoArguments()
  const watched = await planloom([...args, "--json"], { cwd: root })
  const { code, stdout } = await planloom(args, { cwd: root })
  expect(code).toBe(0)
  return `${stagesShown(lines(watched))}\n\n${shortened(stdout)}`
}

/** The workflow of the text is fine as it stands; then the mistake is made that the text speaks of. */
const mistakePrinted = async (text: string): Promise<string> => {
  const workflow = /## A workflow\n\n```yaml\n([^]*?)```/.exec(text)![1]!
  const [, wrong, right] = /`(stages\.all\.output\.\w+)` for `(stages\.all\.output\.text)`/.exec(
    text,
  )!
  const cwd = await mkdtemp(join(tmpdir(), "planloom-readme-"))
  try {
    const file = join(cwd, "summarise.yaml")
    await writeFile(file, workflow)
    expect(await planloom(["check", "summarise.yaml"], { cwd })).toMatchObject({ code: 0 })
    expect(workflow).toContain(right)
    await writeFile(file, workflow.replace(right!, wrong!))
    const { code, stderr, stdout } = await planloom(["check", "summarise.yaml"], { cwd })
    expect(code).toBe(1)
    return `${stdout.trimEnd()}\n${stderr.trimEnd()}`
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}
