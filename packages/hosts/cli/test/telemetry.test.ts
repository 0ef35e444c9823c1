/** Telemetry of the command, as a collector receives it: from `run`, `runs resume` and `serve`. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { collector, type Collector } from "../../../components/telemetry/test/collector.ts"
import { fixture, planloom, serve, trusting } from "./planloom.ts"

const folders: Array<string> = []
const collectors: Array<Collector> = []
let cwd: string

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "telemetry-"))
  folders.push(cwd)
  await trusting(cwd)
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await cp(join(fixture, "workflows"), join(cwd, "workflows"), { recursive: true })
})

afterEach(async () => {
  for (const one of collectors.splice(0)) await one.close()
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const receiving = async () => {
  const one = await collector()
  collectors.push(one)
  return one
}

const exportTo = (url: string) =>
  writeFile(
    join(cwd, "planloom.yaml"),
    `apiVersion: planloom/v1\nkind: Project\ntelemetry: { otlp: "${url}" }\n`,
  )

const names = ({ spans }: Collector) => spans().map(({ name }) => name)

const failing = ["run", "workflows/ends.yaml", "--input", "how=fail"]
const asking = ["run", "workflows/ends.yaml", "--input", "how=approve"]

describe("telemetry of the command", () => {
  it("is exported by `run` to the collector that planloom.yaml names", async () => {
    const collected = await receiving()
    await exportTo(collected.url)
    const { code, stderr } = await planloom(failing, {
      cwd,
      alone: true,
      env: {
        OTEL_SERVICE_NAME: "reports",
        OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=key%201",
      },
    })
    expect(code, stderr).toBe(3)
    expect(names(collected)).toEqual(["stage service", "run ends"])
    const [run] = collected.spans().filter(({ parent }) => parent === undefined)
    expect(run).toMatchObject({
      error: "rate_limit",
      attributes: { "planloom.workflow": "ends", "planloom.run.status": "failed" },
    })
    expect(collected.resource()).toMatchObject({ "service.name": "reports" })
    expect(collected.headers()[0]).toMatchObject({ "x-api-key": "key 1" })
    const metrics = collected.points().map(({ metric }) => metric)
    expect(metrics.toSorted()).toEqual([
      "planloom.run.duration",
      "planloom.run.tool_calls",
      "planloom.stage.duration",
      "planloom.stage.failures",
    ])
  })

  it("goes to the collector of the workflow rather than of the project", async () => {
    const [own, other] = [await receiving(), await receiving()]
    await exportTo(other.url)
    const { code } = await planloom([...failing, "--set", `telemetry.otlp=${own.url}`], { cwd })
    expect(code).toBe(3)
    expect(names(own)).toContain("run ends")
    expect(other.text()).toBe("[]")
  })

  it("of a resumed run is in the trace of the run, and repeats nothing", async () => {
    const collected = await receiving()
    await exportTo(collected.url)
    const { code, stdout } = await planloom([...asking, "--json"], { cwd })
    expect(code).toBe(4)
    const { run } = JSON.parse(stdout.trimEnd().split("\n").at(-1)!)
    expect(names(collected)).toEqual(["stage door", "run ends"])
    expect((await planloom(["runs", "answer", run, "--yes"], { cwd })).code).toBe(0)
    const after = collected.spans().slice(2)
    expect(after.map(({ name }) => name)).toEqual([
      "execute_tool lock_door",
      "attempt",
      "stage door",
      "run ends",
    ])
    expect(new Set(collected.spans().map(({ trace }) => trace)).size).toBe(1)
  })

  it("is not exported for a replayed cassette, whose calls are not made", async () => {
    const collected = await receiving()
    const well = ["run", "workflows/ends.yaml", "--input", "how=approve", "--yes"]
    expect((await planloom([...well, "--record", "tape"], { cwd })).code).toBe(0)
    await exportTo(collected.url)
    expect((await planloom([...well, "--replay", "tape"], { cwd })).code).toBe(0)
    expect(names(collected)).toEqual([])
  })

  it("without a collector warns once, and the run succeeds as before", async () => {
    const gone = await collector()
    await gone.close()
    await exportTo(gone.url)
    const args = ["run", "workflows/ends.yaml", "--input", "how=well"]
    const { code, stderr, stdout } = await planloom(args, { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain("well")
    expect(stderr.match(/telemetry is not exported to/g)).toHaveLength(1)
    expect(stderr).toMatch(/ECONNREFUSED/)
  })

  it("of `serve` is complete after SIGTERM, with the runs that it leaves", async () => {
    const collected = await receiving()
    await exportTo(collected.url)
    await writeFile(
      join(cwd, "workflows/steps.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: steps
use: { plugins: [../plugin.ts] }
stages:
${["first", "second", "third", "fourth"].map((id) => `  - { id: ${id}, uses: wait, with: { ms: 800 } }`).join("\n")}
`,
    )
    const server = await serve(["workflows/ends.yaml", "workflows/steps.yaml"], { cwd })
    const begin = async (workflow: string, inputs = {}) => {
      const response = await fetch(`${server.url}/workflows/${workflow}/runs`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ inputs }),
      })
      return ((await response.json()) as { readonly run: string }).run
    }
    const events = async (run: string) =>
      await (
        await fetch(`${server.url}/runs/${run}/events`, {
          headers: { accept: "text/event-stream" },
        })
      ).text()
    const ended = await begin("ends", { how: "well" })
    expect(await events(ended)).toContain("RunFinished")
    const left = await begin("steps")
    const live = await fetch(`${server.url}/runs/${left}/events`, {
      headers: { accept: "text/event-stream" },
    })
    let seen = ""
    for await (const part of live.body!.pipeThrough(new TextDecoderStream())) {
      seen += part
      if (seen.includes("StageStarted")) break
    }
    expect(await server.stop("SIGTERM")).toBe(0)
    const runs = collected.spans().filter(({ parent }) => parent === undefined)
    const status = new Map(
      runs.map(({ attributes }) => [
        attributes["planloom.run.id"],
        attributes["planloom.run.status"],
      ]),
    )
    expect(status).toEqual(
      new Map([
        [ended, "succeeded"],
        [left, "left"],
      ]),
    )
    expect(names(collected)).toContain("stage first")
  })
})
