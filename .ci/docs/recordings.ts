/** What README.md shows of the command, recorded anew; a recording that differs in times and run ids alone stays as it is. */
import assert from "node:assert/strict"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunEvent } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { frame } from "../../packages/hosts/cli/src/progress/frame.ts"
import { Progress } from "../../packages/hosts/cli/src/progress/Progress.ts"
import { usageText } from "../../packages/hosts/cli/src/run/resultText.ts"
import { wireServer } from "../../packages/testing/testing/src/index.ts"
import { demoArguments, startHost, type Planloom } from "./demo.ts"
import { editRecording } from "./editRecording.ts"
import { lasting } from "./lasting.ts"
import { styleOf } from "../../packages/hosts/cli/src/terminal/Style.ts"

const root = join(import.meta.dirname, "../..")

/** Cells of a line in a terminal of 100 columns. */
const WIDTH = 99
/** Rows of a table that a reader needs to see what it holds. */
const ROWS = 4

/** What a terminal shows of the stages when the run is over; made from `run --json`: the run's events, then its result. */
const stagesShown = (json: string): string => {
  const lines = json.trimEnd().split("\n")
  const progress = new Progress()
  for (const line of lines.slice(0, -1)) progress.push(JSON.parse(line) as RunEvent)
  const look = { style: styleOf(false), width: WIDTH, names: 15, now: 0 }
  const { settled } = frame(progress, 0, look, 40)
  return [...settled, usageText(JSON.parse(lines.at(-1)!) as RunResult)].join("\n")
}

/** Leaves out the rows of a long table but the first few. */
const shortened = (text: string): string => {
  const all = text.trimEnd().split("\n")
  const rule = all.findIndex((line) => line.startsWith("───"))
  const rest = all.findIndex((line) => /^… [\d,]+ more rows$/.test(line))
  if (rule < 0 || rest < 0) return all.join("\n")
  return [...all.slice(0, rule + 1 + ROWS), "…", ...all.slice(rest + 1)].join("\n")
}

/** The file with the fenced block after `$ command` made of `printed`, unless only times and ids differ. */
const recorded = (text: string, command: string, printed: string): string => {
  const start = text.indexOf(`$ ${command}\n`)
  assert(start > 0, `README.md does not show ${command}`)
  const from = start + command.length + 3
  const to = text.indexOf("```", from)
  const before = text.slice(from, to).trimEnd()
  return lasting(before) === lasting(printed)
    ? text
    : `${text.slice(0, from)}${printed}\n${text.slice(to)}`
}

/** The page with its recordings: the demo, a misspelt workflow, and an edit. */
export const withRecordings = async (page: string): Promise<string> => {
  await using host = await startHost()
  const { planloom } = host
  const demo = recorded(page, "npx -y pnpm@12 demo", await demoPrinted(planloom))
  const { command, printed } = await editRecording()
  const edit = recorded(demo, command, printed)
  const run = recorded(edit, runCommand(page), await runPrinted(planloom, page))
  return recorded(run, "planloom check summarise.yaml", await mistakePrinted(planloom, page))
}

const demoPrinted = async (planloom: Planloom): Promise<string> => {
  const args = await demoArguments()
  const watched = await planloom([...args, "--json"], root, 0)
  return `${stagesShown(watched.stdout)}\n\n${shortened((await planloom(args, root, 0)).stdout)}`
}

/** Replies of the model to the run of the page's workflow, in any order but for the last one. */
const replies = [
  {
    text: "Oslo's rents rose by 4 % in May, the most since 2019.",
    usage: { input: 52, output: 19 },
  },
  { text: "Fewer flats are let, because owners sell them.", usage: { input: 47, output: 10 } },
  {
    usage: { input: 68, output: 29 },
    text: "Rents in Oslo rose by 4 % in May, the most since 2019, while fewer flats are let because owners sell them.",
  },
]

const runCommand = (page: string): string =>
  /^\$ (planloom run summarise\.yaml .*)$/m.exec(page)?.[1] ??
  assert.fail("README.md does not run its workflow")

/** The workflow with a scripted server in place of Ollama. */
const runPrinted = async (planloom: Planloom, page: string): Promise<string> => {
  const cwd = await mkdtemp(join(tmpdir(), "planloom-readme-"))
  const server = await wireServer({ answers: [...replies, ...replies] })
  try {
    await writeFile(join(cwd, "summarise.yaml"), workflowIn(page))
    const servers = `{ servers: { ollama: { base_url: "${server.url}/v1" } } }`
    await writeFile(
      join(cwd, "planloom.yaml"),
      `apiVersion: planloom/v1\nkind: Project\nplugins: { "@planloom/provider-openai": ${servers} }\n`,
    )
    const args = [...runCommand(page).matchAll(/[^\s"]*"([^"]*)"|\S+/g)]
      .slice(1)
      .map(([word]) => word.replaceAll('"', ""))
    const watched = await planloom([...args, "--json"], cwd, 0)
    return `${stagesShown(watched.stdout)}\n\n${(await planloom(args, cwd, 0)).stdout.trimEnd()}`
  } finally {
    await server.close()
    await rm(cwd, { recursive: true, force: true })
  }
}

const workflowIn = (page: string): string =>
  /## A workflow\n\n```yaml\n([^]*?)```/.exec(page)?.[1] ??
  assert.fail("README.md shows no workflow")

/** The page's workflow has no problem; then the mistake is made that the page speaks of. */
const mistakePrinted = async (planloom: Planloom, page: string): Promise<string> => {
  const workflow = workflowIn(page)
  const mistake = /`(stages\.all\.output\.\w+)` instead of `(stages\.all\.output\.text)`/.exec(page)
  assert(mistake !== null, "README.md shows no workflow with a mistake")
  const [, wrong, right] = mistake
  assert(workflow.includes(right!), `the workflow of README.md does not read ${right}`)
  const cwd = await mkdtemp(join(tmpdir(), "planloom-readme-"))
  try {
    const file = join(cwd, "summarise.yaml")
    await writeFile(file, workflow)
    await planloom(["check", "summarise.yaml"], cwd, 0)
    await writeFile(file, workflow.replace(right!, wrong!))
    const { stderr, stdout } = await planloom(["check", "summarise.yaml"], cwd, 1)
    return `${stdout.trimEnd()}\n${stderr.trimEnd()}`
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}
