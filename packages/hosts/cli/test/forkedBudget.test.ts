/** A fork of a run: what the copied part has spent counts against its budget. */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireServer } from "@planloom/testing"
import { expect, it, onTestFinished } from "vitest"
import { planloom } from "./planloom.ts"

it("inherits what was spent before the stage that it starts from", async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-fork-")))
  const model = await wireServer({ answers: [{ text: "Fine." }] })
  onTestFinished(async () => {
    await model.close()
    await rm(cwd, { recursive: true, force: true })
  })
  await writeFile(
    join(cwd, "planloom.yaml"),
    `apiVersion: planloom/v1
kind: Project
plugins: { "@planloom/provider-openai": { servers: { local: { base_url: "${model.url}/v1" } } } }
`,
  )
  const stage = (id: string) =>
    `  - { id: ${id}, uses: generate, model: local/small, with: { task: Write ${id}. } }\n`
  await writeFile(
    join(cwd, "w.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }
policies: { budget: { model_calls: 3 } }
stages:
${stage("a")}${stage("b")}${stage("c")}${stage("d")}outputs: {}
`,
  )
  const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd })
  const first = await command("run", "w.yaml", "--store", "--json")
  expect(first.stdout).toContain('"class":"budget"')
  expect(model.requests).toHaveLength(3)
  const listed = await command("runs", "list", "--json")
  const [{ run }] = JSON.parse(listed.stdout) as [{ readonly run: string }]
  const forked = await command("runs", "fork", run, "--from", "c", "--json")
  expect(forked.stdout).toContain('"class":"budget"')
  // Two of three calls were spent before it: one more is made.
  expect(model.requests).toHaveLength(4)
})
