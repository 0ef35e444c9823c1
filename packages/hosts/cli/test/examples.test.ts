/** Examples in a file: checked, counted, and held against what the workflow gives, as a person does it. */
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { JsonObject } from "@planloom/plugin/effect"
import { wireServer } from "@planloom/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { parse } from "yaml"
import { fixture, planloom, trusting } from "./planloom.ts"

let folder: string

const workflow = (model: string) => `apiVersion: planloom/v1
kind: Workflow
name: echoes
use: { plugins: [./plugin.ts] }
inputs: { message: { type: string } }
stages:
  - id: think
    uses: think
    examples: { file: examples.yaml, user: "\${{ inputs.message }}", max_tokens: 600 }
    ${model}
    with: { about: "\${{ inputs.message }}" }
outputs: { said: { type: string, value: "\${{ stages.think.output.text }}" } }
`

const examples = (second: string) => `apiVersion: planloom/v1
kind: Examples
examples:
  - inputs: { message: wifi off }
    output: { text: wifi off }
  - inputs: { message: door shut }
    output: { text: the door is shut }
    expect: ${second}
`

const write = (name: string, text: string) => writeFile(join(folder, name), text)
const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd: folder })

beforeAll(async () => {
  // In here, so that the plugin finds its packages.
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  folder = await mkdtemp(join(fixture, ".planloom", "examples-"))
  await trusting(folder)
  await cp(join(fixture, "plugin.ts"), join(folder, "plugin.ts"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it("examples without a model are run and compared, with differences and exit code", async () => {
  await write("echoes.yaml", workflow(""))
  await write("examples.yaml", examples("{ text: door shut }"))
  const good = await command("test", "echoes.yaml", "--examples")
  expect(good, good.stderr).toMatchObject({ code: 0, stderr: "" })
  expect(good.stdout).toContain("think: 2 of 2\n2 examples, 2 ok, 0 missed")
  await write("examples.yaml", examples("{ text: the door is shut }"))
  const missed = await command("test", "echoes.yaml", "--examples")
  expect(missed.code).toBe(100)
  expect(missed.stdout).toMatch(/^ok +think +1 +wifi off$/m)
  expect(missed.stdout).toMatch(/^miss +think +2 +door shut$/m)
  expect(missed.stdout).toContain('  text: expected "the door is shut", found "door shut"')
})

it("examples of a workflow that declares a user run for the user of --user", async () => {
  const declared =
    "user: { type: object, required: [place], properties: { place: { type: string } } }"
  const forUser = workflow("")
    .replace("inputs:", `${declared}\ninputs:`)
    .replace('about: "${{ inputs.message }}"', 'about: "${{ user.place }} shut"')
  await write("echoes.yaml", forUser)
  await write("examples.yaml", examples("{ text: door shut }"))
  const missing = await command("test", "echoes.yaml", "--examples")
  expect(missing.code).toBe(2)
  expect(missing.stderr).toContain("needs a user")
  const given = await command("test", "echoes.yaml", "--examples", "--user", '{ "place": "door" }')
  expect(given.stdout).toMatch(/^ok +think +2 +door shut$/m)
})

it("examples are part of the prompt, counted by plan, and replayed from a recording", async () => {
  await write("echoes.yaml", workflow("model: echo/small"))
  await write("examples.yaml", examples("{ text: door shut }"))
  const plan = await command("plan", "echoes.yaml", "-i", "message=hello")
  expect(plan.stdout).toContain("2 examples of examples.yaml; at most about 17 tokens")
  const tape = ["--examples", "--record", "tape"]
  const recorded = await command("test", "echoes.yaml", ...tape)
  expect(recorded, recorded.stderr).toMatchObject({ code: 0 })
  // The model was shown the other example, not the one it was asked about.
  const asked = await readFile(join(folder, "tape", "think_2", "think.yaml"), "utf8")
  expect(asked).toContain("wifi off")
  expect(asked).not.toContain("the door is shut")
  const replayed = await command("test", "echoes.yaml", "--examples", "--replay", "tape")
  expect(replayed).toEqual(recorded)
  // Another example is another question: the recording does not answer it.
  await write("examples.yaml", examples("{ text: door shut }").replace("the door is", "it is"))
  const stale = await command("test", "echoes.yaml", "--examples", "--replay", "tape")
  expect(stale.code).toBe(100)
  expect(stale.stdout).toContain("it is shut")
})

it("examples are tested with --set, --env and --flag", async () => {
  await write("echoes.yaml", workflow("model: echo/small"))
  await write("examples.yaml", examples("{ text: door shut }"))
  const set = ["--examples", "--set", "stages.think.model=echo/broken"]
  const broken = await command("test", "echoes.yaml", ...set)
  expect(broken.code).toBe(100)
  expect(broken.stdout).toContain("  no key: set ECHO_API_KEY")
  expect(broken.stdout).toContain("think: 0 of 2\n")
  const unknown = await command("test", "echoes.yaml", "--examples", "--env", "nowhere")
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toContain("nowhere")
  const flag = await command("test", "echoes.yaml", "--examples", "--flag", "careful=true")
  expect(flag.code).toBe(1)
  expect(flag.stderr).toContain("careful")
  expect(await command("test", "--set", "name=other")).toMatchObject({ code: 2 })
})

it("examples have diagnostics with their own locations", async () => {
  await write("echoes.yaml", workflow(""))
  await write("examples.yaml", examples("{ text: 1 }").replace("message: wifi", "mesage: wifi"))
  const wrong = await command("check", "echoes.yaml")
  expect(wrong.code).toBe(1)
  expect(wrong.stdout + wrong.stderr).toMatch(/examples\.yaml:4:15 error PL5004/)
  expect(wrong.stdout + wrong.stderr).toContain("examples.yaml:8:21 error PL5004")
  const tested = await command("test", "echoes.yaml", "--examples")
  expect(tested).toMatchObject({ code: 1, stdout: "" })
  expect(tested.stderr).toContain("examples.yaml:8:21 error PL5004")
  await write("examples.yaml", examples("{}").replace("kind: Examples", "kind: Catalog"))
  const other = await command("check", "echoes.yaml")
  expect(other.stdout + other.stderr).toContain("PL0111")
  await rm(join(folder, "examples.yaml"))
  const missing = await command("check", "echoes.yaml")
  expect(missing.code).toBe(1)
  expect(missing.stdout + missing.stderr).toMatch(/echoes\.yaml:9:23 error PL4011/)
})

it("--examples requires one workflow with examples", async () => {
  expect(await command("test", "--examples")).toMatchObject({ code: 2 })
  expect(await command("test", "echoes.yaml", "--examples", "--metrics")).toMatchObject({ code: 2 })
  await write("echoes.yaml", workflow("").replace(/ +examples: .*\n/, ""))
  const none = await command("test", "echoes.yaml", "--examples")
  expect(none).toMatchObject({ code: 1, stdout: "" })
  expect(none.stderr).toContain("no stage of echoes.yaml has examples")
})

/** The device assistant in a project of its own, with a model at `url` and a copy of the sample device. */
const assistantAt = async (url: string) => {
  const root = join(import.meta.dirname, "../../../..")
  const device = join(folder, "device")
  const keep = (path: string) => !path.includes(".state")
  await cp(join(root, "examples/device/device"), device, { recursive: true, filter: keep })
  const plugins = {
    [join(root, "examples/device/plugin.ts")]: { folder: device },
    "@planloom/provider-openai": { servers: { local: { base_url: `${url}/v1` } } },
  }
  await write(
    "planloom.yaml",
    JSON.stringify({ apiVersion: "planloom/v1", kind: "Project", plugins, roots: [".", root] }),
  )
  const text = await readFile(join(root, "workflows/device_assistant.yaml"), "utf8")
  await write(
    "assistant.yaml",
    text.replaceAll("../", `${root}/`).replace("ollama/qwen3:1.7b", "local/tiny"),
  )
  const file = await readFile(join(root, "templates/examples/plan_turn.yaml"), "utf8")
  return (parse(file) as { readonly examples: ReadonlyArray<{ readonly output: JsonObject }> })
    .examples
}

it("examples of the device assistant pass without a model and with one behind HTTP", async () => {
  await using server = await wireServer({ models: ["tiny"] })
  const outputs = (await assistantAt(server.url)).map(({ output }) => output)
  const tests = ["test", "assistant.yaml", "--examples"]
  // Every plan as its example has it but the last, and the choice of the second stage where there are two candidates.
  const choices: { readonly [plan: number]: JsonObject } = {
    2: { tool: "toggle_wifi", params: { state: "off" } },
  }
  const plans = [...outputs.slice(0, -1), { ...outputs.at(-1)!, intent: "user_question" }]
  server.answer(
    ...plans.flatMap((plan, at) =>
      [plan, ...(choices[at] === undefined ? [] : [choices[at]])].map((json) => ({ json })),
    ),
  )
  const asked = await command(...tests, "--record", "device-tape")
  expect(asked, asked.stdout + asked.stderr).toMatchObject({ code: 100 })
  expect(asked.stdout).toContain('  intent: expected "unclear", found "user_question"')
  expect(asked.stdout).toMatch(/^plan: 5 of 6, confidence 0\.94 \(median\), lowest 0\.1$/m)
  // No question came with its own example.
  const questions = server.requests
    .map(({ body }) => JSON.stringify(body))
    .filter((one) => one.includes("sdfksdf"))
  expect(questions).toHaveLength(6)
  for (const one of questions)
    expect(one.match(/sdfksdf|standing near a tree|my most recent resume/g)).toHaveLength(3)

  // The doctor says how long a first token takes, of servers that want no key.
  await mkdir(join(folder, "workflows"), { recursive: true })
  await rename(join(folder, "assistant.yaml"), join(folder, "workflows/assistant.yaml"))
  server.answer({ text: "hi" })
  const doctor = await command("doctor", "--warm")
  expect(doctor.stdout).toMatch(
    /Model local\/tiny +first token after \d+\.\d\d s, once loaded after \d+\.\d\d s/,
  )
  expect(server.requests.slice(-2).map(({ body }) => body["max_tokens"])).toEqual([1, 1])
  expect((await command("doctor")).stdout).not.toContain("first token")
  await rename(join(folder, "workflows/assistant.yaml"), join(folder, "assistant.yaml"))

  await server.close()
  expect(await command(...tests, "--replay", "device-tape")).toEqual(asked)

  const alone = await command(...tests)
  expect(alone, alone.stdout + alone.stderr).toMatchObject({ code: 0 })
  expect(alone.stdout).toMatch(
    /^plan: 6 of 6, confidence .*, 6 without its model \(local\/tiny: unavailable: .* cannot be reached .*\)$/m,
  )
})
