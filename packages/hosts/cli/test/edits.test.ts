/** Random edits of the shipped workflows: what is replayed equals a full run, and only stale calls are made. `pnpm prove` makes sixty. */
import { hash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { CallMemory, type MadeCall } from "../src/dev/loop/CallMemory.ts"
import { runEdit, type EditRun } from "../src/dev/loop/runEdit.ts"
import { load } from "@planloom/embed"
import { definePlugin, type Json, type JsonObject, type Provider } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { cases } from "../../../../.config/cases.ts"
import { bundledPlugins } from "../src/project/bundledPlugins.ts"

const root = join(import.meta.dirname, "../../../..")

/** Park and Miller's generator: the same edits for a seed. */
const randomOf = (seed: number) => {
  let state = (seed % 2147483646) + 1
  return (below: number): number => {
    state = (state * 48271) % 2147483647
    return state % below
  }
}

const digest = (value: unknown): string => hash("sha1", JSON.stringify(value))

/** A value of a schema that depends on the request alone. */
const valueOf = (schema: Json | boolean, seed: string, depth = 0): Json => {
  const rules = (typeof schema === "boolean" ? {} : schema) as JsonObject
  const choices = (rules["enum"] ?? rules["anyOf"] ?? rules["oneOf"]) as ReadonlyArray<Json>
  const number = Number.parseInt(digest([seed, depth]).slice(0, 6), 16)
  if (rules["const"] !== undefined) return rules["const"]
  if (choices !== undefined) {
    const chosen = choices[number % choices.length]!
    return rules["enum"] === undefined ? valueOf(chosen, seed, depth) : chosen
  }
  switch ([rules["type"]].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries((rules["properties"] ?? {}) as JsonObject).map(([name, inner]) => [
          name,
          valueOf(inner, `${seed}${name}`, depth + 1),
        ]),
      )
    case "array":
      return depth > 4 ? [] : [valueOf((rules["items"] ?? true) as Json, `${seed}[]`, depth + 1)]
    case "number":
    case "integer":
      return Math.max(0, Number(rules["minimum"] ?? 0))
    case "boolean":
      return number % 2 === 0
    case "null":
      return null
    default:
      return `said ${number % 1000}`
  }
}

/** A model whose reply depends on the request alone, and what it was asked. */
const modelDouble = () => {
  const asked: Array<string> = []
  const provider: Provider = {
    id: "double",
    summary: "Replies to a request always with the same.",
    generate: (request) =>
      Effect.sync(() => {
        const seed = digest(request)
        asked.push(seed)
        const schema = request.output?.schema as Json | undefined
        return {
          text:
            schema === undefined
              ? `said ${seed.slice(0, 6)}`
              : JSON.stringify(valueOf(schema, seed)),
          reasoning: "",
          toolCalls: [],
          finish: "stop" as const,
          usage: { input: 10, output: 5 },
        }
      }),
  }
  return { asked, provider }
}

/** A pattern of a file, and what replaces it. */
type Change = readonly [file: RegExp, what: RegExp, by: (found: string, random: number) => string]

interface Subject {
  readonly file: string
  readonly inputs: JsonObject
  readonly user?: JsonObject
  /** Makes stages ask a model that declare none. */
  readonly prepare?: (text: string) => string
  readonly changes: ReadonlyArray<Change>
  /** It opens a database, which takes too long for every test run. */
  readonly isLong?: true
}

const sentence: Change = [/\.md$/, /$/, (_, random) => `\nRule ${random}.\n`]
const comment: Change = [/\.yaml$/, /^name: /m, (found, random) => `# ${random}\n${found}`]
const policy: Change = [/workflows\//, /^timeout: \d+m/m, (_, random) => `timeout: ${20 + random}m`]

const subjects: ReadonlyArray<Subject> = [
  {
    file: "workflows/conversation.yaml",
    inputs: { message: "What is the rate?" },
    user: { id: "u_1", name: "Ada", tier: "premium", language: "es", zone: "UTC" },
    changes: [
      sentence,
      comment,
      [
        /conversation\.yaml$/,
        /task: ".*"/,
        (_, random) => `task: "\${{ inputs.message }} ${random}"`,
      ],
      [/hooks\//, /text: Offer .*/, (_, random) => `text: Offer support ${random}. } }`],
      [/hooks\//, /priority: \d+$/m, (_, random) => `priority: ${80 + random}`],
    ],
  },
  {
    file: "workflows/device_assistant.yaml",
    inputs: { message: "turn the volume up and find my invoice" },
    changes: [
      sentence,
      comment,
      [/device_assistant\.yaml$/, /reply: On it.*/, (_, random) => `reply: On it ${random}. }`],
      [
        /device_assistant\.yaml$/,
        /max_tokens: 3\d\d/,
        (_, random) => `max_tokens: ${300 + random}`,
      ],
      [/device_assistant\.yaml$/, /^timeout: \d+m/m, (_, random) => `timeout: ${3 + random}m`],
      [/catalog\.yaml$|files\.yaml$/, /summary: \w+/, (found, random) => `${found} (${random})`],
    ],
  },
  {
    file: "workflows/data_analyst.yaml",
    isLong: true,
    inputs: {
      question: "Which region has the most revenue?",
      data: join(root, "examples/data/sales.csv"),
    },
    prepare: (text) =>
      text
        .replace(
          /^prompts:/m,
          "models: { planner: { try: [double/any], otherwise: mechanical } }\nprompts:",
        )
        .replaceAll(/^    prompt: (adapt|answer)$/gm, "$&\n    model: planner"),
    changes: [
      sentence,
      comment,
      policy,
      [/data_analyst\.yaml$/, /default: \d+/, (_, random) => `default: ${11 + (random % 20)}`],
      [
        /data_analyst\.yaml$/,
        /max_parallel: \d+/,
        (_, random) => `max_parallel: ${5 + (random % 60)}`,
      ],
      [/catalog\/data\.yaml$/, /summary: \w+/, (found, random) => `${found} (${random})`],
    ],
  },
]

/** A random change of a random file that has it; the text that the file had before for one in five. */
const edited = (
  texts: ReadonlyMap<string, string>,
  earlier: Map<string, string>,
  { changes }: Subject,
  random: (below: number) => number,
): readonly [path: string, text: string] => {
  const undone = [...earlier]
  if (undone.length > 0 && random(5) === 0) return undone[random(undone.length)]!
  const [file, what, by] = changes[random(changes.length)]!
  const paths = [...texts.keys()].filter((path) => file.test(path) && what.test(texts.get(path)!))
  const path = paths[random(paths.length)]!
  const text = texts.get(path)!
  earlier.set(path, text)
  return [path, text.replace(what, (found) => by(found, random(90)))]
}

/** Without the names of the folders that each run has of its own. */
const withoutFolders = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "run")

/** The result without times. */
const essence = ({ result }: EditRun): Json => {
  const { failure, outputs, stages, status, usage } = result
  const text = JSON.stringify([status, outputs, failure, usage, stages], (key, one: unknown) =>
    key === "ms" ? undefined : one,
  )
  return JSON.parse(withoutFolders(text)) as Json
}

const isPaid = ({ kind }: MadeCall): boolean => kind === "model" || kind === "tool"

/** How often each request was made. */
const countsOf = (calls: ReadonlyArray<MadeCall>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { about } of calls.filter(isPaid)) {
    const request = withoutFolders(JSON.stringify(about))
    counts.set(request, (counts.get(request) ?? 0) + 1)
  }
  return counts
}

const editing = Effect.fnUntraced(function* (subject: Subject, count: number, seed: number) {
  const random = randomOf(seed)
  const path = join(root, subject.file)
  const double = modelDouble()
  const loading = (texts?: ReadonlyMap<string, string>) =>
    load(path, {
      plugins: bundledPlugins,
      extraPlugins: [
        definePlugin({
          id: "double",
          summary: "A model of a test.",
          components: { providers: [double.provider] },
        }),
      ],
      modelsOverride: ["double/any"],
      ...(texts === undefined ? {} : { texts }),
    })
  const workspace = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "planloom-edits-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
  )
  const first = yield* Effect.scoped(loading())
  const texts = new Map([...first.sources].map(([name, { text }]) => [name, text]))
  const own = [...texts.keys()].find((name) => name.endsWith(subject.file))!
  texts.set(own, subject.prepare?.(texts.get(own)!) ?? texts.get(own)!)
  const earlier = new Map<string, string>()
  const memory = new CallMemory()
  const answers = new Map<string, Json>()
  /** How often each request has been made so far. */
  const made = new Map<string, number>()
  const tally = { calls: 0, made: 0, free: 0 }
  const common = {
    answers,
    code: "",
    version: () => "",
    mayWrite: () => Effect.succeed(true),
    answer: () => Effect.succeed({ approved: true } as Json),
    user: subject.user,
    workspace,
  }
  for (let number = 0; number <= count; number++) {
    let change = "first run"
    if (number > 0) {
      const [name, text] = edited(texts, earlier, subject, random)
      change = `edit ${number} of ${relative(root, name)}`
      texts.set(name, text)
    }
    yield* Effect.scoped(
      Effect.gen(function* () {
        const loaded = yield* loading(texts)
        const run = (kept: CallMemory) =>
          runEdit(loaded, subject.inputs, { ...common, memory: kept }, texts, [])
        double.asked.length = 0
        const again = yield* run(memory)
        const asked = double.asked.splice(0)
        const full = yield* run(new CallMemory())
        assert.deepStrictEqual(essence(again), essence(full), change)

        // Stale are exactly the requests that were not made as often before.
        const live = countsOf(again.calls.filter(({ isLive }) => isLive))
        const stale = new Map(
          [...countsOf(full.calls)].flatMap(([request, times]) => {
            const missing = times - (made.get(request) ?? 0)
            return missing > 0 ? [[request, missing] as const] : []
          }),
        )
        assert.deepStrictEqual([...live].toSorted(), [...stale].toSorted(), change)
        const models = again.calls.filter(({ isLive, kind }) => isLive && kind === "model")
        assert.strictEqual(asked.length, models.length, change)
        for (const [request, times] of live) made.set(request, (made.get(request) ?? 0) + times)

        const calls = full.calls.filter(isPaid).length
        const paid = again.calls.filter((call) => call.isLive && isPaid(call)).length
        if (number === 0) assert.isAbove(calls, 0, "the first run makes calls")
        else {
          tally.calls += calls
          tally.made += paid
          if (paid === 0) tally.free++
        }
      }),
    )
  }
  return tally
})

describe("random edits of a shipped workflow", () => {
  const seed = Number(process.env["PLANLOOM_SEED"] ?? 1)
  const tried = subjects.filter(({ isLong }) => isLong !== true || cases(1) > 1)
  it.live.each(tried.map((subject) => [subject.file, subject] as const))(
    "make only stale calls, with the result of a full run: %s",
    ([, subject]) =>
      Effect.gen(function* () {
        const tally = yield* editing(subject, cases(2), seed)
        assert.isBelow(tally.made, tally.calls)
      }).pipe(Effect.scoped),
  )
})
