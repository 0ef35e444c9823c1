/** `planloom runs sample` and `planloom runs show --as-example`: what people review, and what becomes an example. */
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fromYaml } from "@planloom/language"
import type { WireAnswer } from "@planloom/testing"
import { openShop, planned, workflow, type Shop } from "./shop.ts"

let shop: Shop
let plain: string
let refined: string
let followUp: string
let asking: string

const reasoned = (reasoning: string, answer: WireAnswer): WireAnswer => ({
  ...answer,
  text: `<reasoning>${reasoning}</reasoning>\n${answer.text}`,
})

beforeAll(async () => {
  shop = await openShop()
  shop.server.answer(
    reasoned("They want tea.", planned("Find tea", 0.9, "tea")),
    planned("What does tea cost, asks ada@shop.de", 0.9, "tea"),
    planned("Its price again", 0.8, "tea"),
    planned("Something", 0.2, "x"),
  )
  plain = await shop.ask("Find tea")
  refined = await shop.ask("What does tea cost, asks ada@shop.de", "--session", "talk")
  followUp = await shop.ask("Its price again", "--session", "talk", "-i", "email=eve@shop.de")
  asking = await shop.ask("Something")
})

afterAll(async () => {
  await shop.server.close()
  await rm(shop.folder, { recursive: true, force: true })
})

interface Entry {
  readonly inputs: object
  readonly session?: object
  readonly output: { readonly plan: { readonly steps: ReadonlyArray<{ readonly id: string }> } }
}

const example = async (run: string) => {
  const { code, stderr, stdout } = await shop.command(
    "runs",
    "show",
    run,
    "--as-example",
    "--stage",
    "plan",
  )
  expect(code, stderr).toBe(0)
  return { stderr, entry: (fromYaml(stdout) as unknown as ReadonlyArray<Entry>)[0]! }
}

describe("runs sample", () => {
  const drawn = async (...args: ReadonlyArray<string>) => {
    const { stdout } = await shop.command("runs", "sample", "--json", ...args)
    return (JSON.parse(stdout) as ReadonlyArray<{ readonly run: string }>).map(({ run }) => run)
  }

  it("draws runs that a reflection improved, the same ones for a seed", async () => {
    expect(await drawn("--refined", "20")).toEqual([refined, followUp])
    const first = await drawn("--refined", "1")
    expect(await drawn("--refined", "1")).toEqual(first)
    const seeds = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => drawn("--refined", "1", "--seed", String(seed))),
    )
    expect(new Set(seeds.flat()).size).toBe(2)
  })

  it("shows what was missing and what it added, and that there are no more", async () => {
    const { stderr, stdout } = await shop.command("runs", "sample", "--refined", "20")
    expect(stdout).toMatch(/^round 1 +the price is unknown: extend, adds found_price$/m)
    expect(stderr).toContain("only 2 runs were refined by a reflection")
  })

  it("filters by workflow and time, and refuses a sample of none", async () => {
    expect(await drawn("--refined", "9", "--workflow", "other")).toEqual([])
    expect(await drawn("--refined", "9", "--since", "2999-01-01")).toEqual([])
    const { code, stderr } = await shop.command("runs", "sample", "--refined", "0")
    expect(code).toBe(2)
    expect(stderr).toContain("a sample has at least 1 run")
    expect((await shop.command("runs", "sample")).code).toBe(2)
    expect((await shop.command("runs", "sample", "--any", "1", "--refined", "1")).code).toBe(2)
  })

  it("draws runs of any kind, and runs with the reasoning of their models", async () => {
    expect((await drawn("--any", "100")).toSorted()).toEqual(
      [plain, refined, followUp, asking].toSorted(),
    )
    expect(await drawn("--any", "3")).toHaveLength(3)
    expect(await drawn("--reasoned", "5")).toEqual([plain])
    const { stderr, stdout } = await shop.command("runs", "sample", "--reasoned", "5")
    expect(stdout).toMatch(/^reasoning of plan +3 words: They want tea\.$/m)
    expect(stderr).toContain("only 1 run was recorded with a model's reasoning")
  })
})

describe("runs show --as-example", () => {
  it("prints the inputs and the output of the stage", async () => {
    const { entry, stderr } = await example(plain)
    expect(entry).toEqual({
      inputs: { message: "Find tea", email: "[personal:email]" },
      output: {
        confidence: 0.9,
        plan: { steps: [{ id: "found", tool: "find_items", params: { query: "tea" } }] },
      },
    })
    expect(stderr).toBe("")
  })

  it("has the plan that a reflection left, the conversation before the run, and made-up personal data", async () => {
    const first = await example(refined)
    expect(first.entry.output.plan.steps.map(({ id }) => id)).toEqual(["found", "found_price"])
    expect(first.stderr).toContain("the plan is the one that reflection left (adds found_price)")
    const { entry } = await example(followUp)
    expect(entry.inputs).toEqual({ message: "Its price again", email: "[personal:email]" })
    expect(entry.session).toEqual({
      turns: [
        { user: "What does tea cost, asks ada@example.com", assistant: "find_items, item_price" },
      ],
      state: { asked: 1 },
    })
  })

  it("has the output that the stage asked about, and none that rests on an answer", async () => {
    expect((await example(asking)).entry.output).toEqual({
      confidence: 0.2,
      plan: { steps: [{ id: "found", tool: "find_items", params: { query: "x" } }] },
    })
    shop.server.answer(planned("Anything", 0.3, "tea"))
    const asked = await shop.ask("Anything at all")
    shop.server.answer(planned("Anything", 0.9, "tea"))
    await shop.command("runs", "answer", asked, "--value", "tea", "-i", "email=none")
    const { code, stderr } = await shop.command(
      "runs",
      "show",
      asked,
      "--as-example",
      "--stage",
      "plan",
    )
    expect(code).toBe(1)
    expect(stderr).toContain('"plan" asked, and its output rests on the answer')
  })

  it("adds entries to a file that passes check and the test of examples", async () => {
    const path = "examples.yaml"
    const add = (run: string) =>
      shop.command("runs", "show", run, "--as-example", "--stage", "plan", "--out", path)
    expect((await add(plain)).stderr).toContain(`wrote ${path}`)
    expect((await add(refined)).code).toBe(0)
    expect((await add(followUp)).code).toBe(0)
    const text = await readFile(join(shop.folder, path), "utf8")
    expect(text.match(/^ *- inputs:/gm)).toHaveLength(3)
    expect(text).not.toContain("shop.de")
    await shop.write(
      "workflows/shop.yaml",
      workflow.replace(
        "    uses: plan\n",
        '    uses: plan\n    examples: { file: ../examples.yaml, user: "${{ inputs.message }}" }\n',
      ),
    )
    const { code, stderr } = await shop.command("check", "workflows/shop.yaml", "examples.yaml")
    expect(stderr).toContain("no problems")
    expect(code).toBe(0)
    // The stage is now the only one with examples.
    const { stdout: shown } = await shop.command("runs", "show", plain, "--as-example")
    expect(shown).toContain("tool: find_items")
    await shop.write("examples.yaml", "apiVersion: planloom/v1\nkind: Examples\nexamples: []\n")
    await shop.write("workflows/shop.yaml", workflow)
    expect((await add(plain)).stderr).toContain("is not a list with one item a line")
  })

  it("refuses a run that does not fit the workflow of now, a stage that is not there, and a redacted run", async () => {
    const show = (...args: ReadonlyArray<string>) =>
      shop.command("runs", "show", plain, "--as-example", ...args)
    expect((await show()).stderr).toContain("no stage of the workflow has examples")
    const misspelt = await show("--stage", "plam")
    expect(misspelt.code).toBe(2)
    expect(misspelt.stderr).toContain("plan")
    await shop.write(
      "workflows/shop.yaml",
      workflow.replace("default: none, personal", "default: none, maxLength: 6, personal"),
    )
    const changed = await show("--stage", "plan")
    expect(changed.code).toBe(1)
    expect(changed.stderr).toContain('does not fit as an example of "plan": "email"')
    await shop.write("workflows/shop.yaml", workflow)
    await shop.command("runs", "export", plain, "--redact", "--out", "run.json")
    const redacted = await shop.command("runs", "show", "run.json", "--as-example")
    expect(redacted.stderr).toContain("a redacted run has no texts for an example")
    const { stderr } = await shop.command("runs", "show", plain, "--stage", "plan")
    expect(stderr).toContain("add --as-example")
  })
})
