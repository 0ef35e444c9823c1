/** `planloom build`, and what the other commands do with the file that it writes. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fixture, planloom, sourceBin, trusting } from "./planloom.ts"

let out: string

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "planloom-built-"))
  await trusting(out)
})

afterAll(() => rm(out, { recursive: true, force: true }))

const built = async (name: string, ...flags: ReadonlyArray<string>): Promise<string> => {
  const { code, stderr, stdout } = await planloom(["build", name, "--out", out, ...flags])
  expect(code, stderr).toBe(0)
  return stdout.trim()
}

/** The events of a run and its result, without what is of the moment. */
const emitted = async (workflow: string, ...flags: ReadonlyArray<string>): Promise<unknown> => {
  const { code, stderr, stdout } = await planloom([
    "run",
    workflow,
    "--json",
    "--no-store",
    ...flags,
  ])
  expect(stdout, stderr).not.toBe("")
  const events: ReadonlyArray<unknown> = stdout
    .trimEnd()
    .split("\n")
    .map((line) =>
      JSON.parse(line, (key, value: unknown) =>
        ["at", "ms", "run", "startedAt", "finishedAt"].includes(key) ? undefined : value,
      ),
    )
  return { code, events }
}

describe("a run of a workflow and of its artefact", () => {
  it.each([
    ["quick", ["--input", "question=why"]],
    ["shout", []],
    ["nothing", []],
    ["ends", ["--input", "how=well"]],
    ["ends", ["--input", "how=fail"]],
    ["talk", ["--input", "message=hello"]],
    ["talk", ["--input", "message=fail"]],
  ])("of %s with %j gives the same events and the same exit code", async (name, flags) => {
    const path = await built(name)
    expect(await emitted(path, ...flags)).toEqual(await emitted(name, ...flags))
  })
})

describe("planloom build", () => {
  it("names the artefact by its content", async () => {
    const path = await built("quick")
    expect(path).toMatch(/\/quick\.[0-9a-f]{12}\.json$/)
    const { apiVersion, digest, engine, sources } = JSON.parse(await readFile(path, "utf8"))
    expect(apiVersion).toBe("planloom/artefact/v1")
    expect(engine).toMatch(/^\d+\.\d+\.\d+/)
    expect(path).toContain(digest.slice(0, 12))
    expect(sources).toEqual([
      { path: "quick.yaml", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(await built("quick")).toBe(path)
    expect(await built("quick", "--set", "defaults.timeout=9s")).not.toBe(path)
  })

  it.each(["quick", "talk"])(
    "writes the same bytes again, in another process: %s",
    async (name) => {
      const first = await readFile(await built(name))
      const args = ["build", name, "--out", out]
      const { stdout } = await planloom(args, { bin: sourceBin })
      expect(await readFile(stdout.trim())).toEqual(first)
    },
  )

  it("writes nothing for a file with errors, and reports them as check does", async () => {
    const folder = await mkdtemp(join(out, "wrong-"))
    const file = join(folder, "wrong.yaml")
    await writeFile(
      file,
      "apiVersion: planloom/v1\nkind: Workflow\nname: wrong\nstages: [{ id: a, uses: nothing_known }]\n",
    )
    const { code, stderr, stdout } = await planloom(["build", file, "--out", folder])
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain("PL4003")
    expect(await readdir(folder)).toEqual(["wrong.yaml"])
  })

  it("writes nothing if a file contains the value of a declared secret", async () => {
    const folder = await mkdtemp(join(out, "secret-"))
    const file = join(folder, "leaky.yaml")
    await writeFile(
      file,
      'apiVersion: planloom/v1\nkind: Workflow\nname: leaky\nuse: { plugins: ["@planloom/stages", "@planloom/tools-data"] }\nsecrets: [DEPLOY_WORD]\nstages: [{ id: one, uses: call, with: { tool: describe, params: { path: none.csv } } }]\noutputs: { a: { type: string, value: correct horse battery } }\n',
    )
    const { code, stderr } = await planloom(["build", file, "--out", folder], {
      env: { DEPLOY_WORD: "horse battery" },
    })
    expect(code).toBe(1)
    expect(stderr).toContain("contain the value of a declared secret; nothing was written")
    expect(await readdir(folder)).toEqual(["leaky.yaml"])
  })

  it("reports a folder that cannot be written", async () => {
    const { code, stderr } = await planloom(["build", "quick", "--out", join(fixture, "plugin.ts")])
    expect(code).toBe(3)
    expect(stderr).toContain("cannot be written")
  })
})

describe("an artefact on the command line", () => {
  it("is planned like its workflow", async () => {
    const flags = ["--input", "question=why", "--json"]
    const { stdout } = await planloom(["plan", await built("quick"), ...flags])
    expect(JSON.parse(stdout)).toEqual(
      JSON.parse((await planloom(["plan", "quick", ...flags])).stdout),
    )
  })

  it("rejects --set and --env, which the build has fixed", async () => {
    const path = await built("quick")
    for (const flags of [
      ["--set", "defaults.timeout=9s"],
      ["--env", "production"],
    ]) {
      const { code, stderr } = await planloom(["run", path, ...flags])
      expect(code).toBe(2)
      expect(stderr).toContain(`${flags[0]} is fixed by the build`)
    }
  })

  it("is rejected with one message if it is truncated or changed", async () => {
    const path = await built("quick")
    const text = await readFile(path, "utf8")
    const file = join(out, "other.json")
    await writeFile(file, text.slice(0, 200))
    expect(await planloom(["run", file])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .*other\.json is not JSON: [^\n]*\n$/),
    })
    await writeFile(file, text.replace("Thinks", "Sleeps").replace("quick", "quack"))
    expect((await planloom(["run", file])).stderr).toContain("has changed since it was built")
  })

  it("is recorded with its run, which can be answered after the file was deleted", async () => {
    const cwd = await mkdtemp(join(out, "recorded-"))
    await trusting(cwd)
    const path = await built("ends")
    const begun = await planloom(["run", path, "--input", "how=approve", "--json"], { cwd })
    expect(begun.code, begun.stderr).toBe(4)
    const id = /"run":"([^"]+)"/.exec(begun.stdout)![1]!
    await rm(path)
    const answered = await planloom(["runs", "answer", id, "--yes"], { cwd })
    expect(answered.code, answered.stderr).toBe(0)
    expect(answered.stdout).toContain("approve")
  })
})
