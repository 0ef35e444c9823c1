/** A prompt experiment under a running server: live by one command, and back by one. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireServer } from "@planloom/testing"
import { expect, it, onTestFinished } from "vitest"
import { planloom, serve } from "./planloom.ts"

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: letters
use: { plugins: ["@planloom/stages", "@planloom/hooks", "@planloom/provider-openai"] }
inputs: { to: { type: string } }
prompts: { base: prompts/base.md }
experiments: { tone: { variants: { plain: 50, warm: 50 }, unit: run } }
stages:
  - { id: write, uses: generate, model: local/small, with: { task: Write it. }, prompt: { use: base } }
outputs: { text: { type: string, value: "\${{ stages.write.output.text }}" } }
`

const LIVE = "You write letters. ${{ experiments.tone == 'warm' ? 'Be warm.' : 'Be plain.' }}\n"

it("a prompt experiment goes live, and back, by one command each while a server runs", async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-live-")))
  const model = await wireServer({ answers: [{ text: "Dear Bo." }] })
  await mkdir(join(cwd, "workflows/prompts"), { recursive: true })
  await writeFile(
    join(cwd, "planloom.yaml"),
    `apiVersion: planloom/v1
kind: Project
plugins: { "@planloom/provider-openai": { servers: { local: { base_url: "${model.url}/v1" } } } }
`,
  )
  await writeFile(join(cwd, "workflows/letters.yaml"), workflow)
  await writeFile(join(cwd, "workflows/prompts/base.md"), "You write letters. Be short.\n")
  await writeFile(join(cwd, "live.md"), LIVE)
  const server = await serve(["workflows/letters.yaml"], { cwd })
  onTestFinished(async () => {
    await server.stop("SIGTERM")
    await model.close()
    await rm(cwd, { recursive: true, force: true })
  })
  /** The manners that the prompts of so many new runs ask for. */
  const manners = async (count: number): Promise<ReadonlyArray<string>> => {
    const before = model.requests.length
    for (let at = 0; at < count; at++) {
      const started = await fetch(`${server.url}/workflows/letters/runs`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify({ inputs: { to: "Bo" } }),
      })
      await started.text()
    }
    const asked = model.requests.slice(before)
    expect(asked).toHaveLength(count)
    return asked.map(({ body }) => /Be (\w+)\./.exec(JSON.stringify(body))?.[1] ?? "none")
  }
  const command = async (...args: ReadonlyArray<string>) => {
    const { code, stderr } = await planloom(["prompts", ...args], { cwd })
    expect(code, stderr).toBe(0)
  }
  expect(new Set(await manners(3))).toEqual(new Set(["short"]))
  await command("edit", "letters", "base", "--from", "live.md", "--why", "warmer letters")
  expect(new Set(await manners(24))).toEqual(new Set(["plain", "warm"]))
  await command("use", "letters", "base", "file")
  expect(new Set(await manners(3))).toEqual(new Set(["short"]))
})
