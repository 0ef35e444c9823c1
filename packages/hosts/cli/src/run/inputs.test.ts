import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { cases } from "../../../../../.config/cases.ts"
import { readInputs } from "./inputs.ts"
import { parseUser } from "./readUser.ts"

const declared = {
  question: { type: "string", minLength: 1, description: "What to find out" },
  limit: { type: "integer", minimum: 1, maximum: 9, default: 3 },
  strict: { type: "boolean", default: false },
  regions: { type: "array", items: { type: "string" }, default: [] },
  years: { type: "array", items: { type: "integer" }, default: [] },
  filter: { type: "object", default: {} },
  since: { type: ["string", "null"], default: null },
  table: { type: "string", format: "path", default: "" },
} as const

const given = (...input: ReadonlyArray<string>) =>
  readInputs("report", declared, { input, inputs: undefined })

describe("inputs from the command line", () => {
  it.effect("are read as their types say", () =>
    Effect.gen(function* () {
      const inputs = yield* given(
        "question=3",
        "limit=3",
        "strict=true",
        'regions=["north"]',
        'filter={"a":1}',
        "since=null",
      )
      assert.deepStrictEqual(inputs, {
        question: "3",
        limit: 3,
        strict: true,
        regions: ["north"],
        filter: { a: 1 },
        since: null,
      })
    }),
  )

  it.effect(
    "from a file that is not UTF-8 text or not a JSON object are refused with the reason",
    () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "planloom-inputs-"))
        const binary = join(folder, "binary")
        const broken = join(folder, "broken.json")
        writeFileSync(binary, Uint8Array.of(0x68, 0xff, 0xfe))
        writeFileSync(broken, '{\n  "question": why }')
        const refused = yield* Effect.flip(given(`question=@${binary}`))
        assert.strictEqual(
          refused.message,
          `--input question: ${binary} cannot be read: it is not UTF-8 text`,
        )
        const unread = yield* Effect.flip(
          readInputs("report", declared, { input: [], inputs: broken }),
        )
        assert.strictEqual(unread.message, `${broken}:2:15 is not JSON`)
        rmSync(folder, { recursive: true })
      }),
  )

  it.effect("from a file are refused without a word of its content", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "planloom-inputs-"))
      const file = join(folder, "people.csv")
      const secrets = ["Ada", "4711", "Oslo", "secret"]
      const words = fc.array(fc.constantFrom(...secrets, "{", "[", ",", ":", '"', "\n"), {
        minLength: 1,
        maxLength: 12,
      })
      const refusals = (content: string) => {
        writeFileSync(file, content)
        return Effect.forEach(
          [
            given("question=q", `filter=@${file}`),
            given("question=q", `years=@${file}`),
            given("question=q", `table=@${file}`),
            given("question=q", `limit=@${file}`),
            readInputs("report", declared, { input: [], inputs: file }),
            parseUser(`@${file}`),
          ],
          Effect.flip,
        )
      }
      for (const parts of fc.sample(words, cases(100))) {
        // A number would be a limit.
        for (const { help = "", message } of yield* refusals(`${parts.join(" ")} Ada`))
          for (const secret of secrets) assert.notInclude(`${message} ${help}`, secret)
      }
      rmSync(folder, { recursive: true })
    }),
  )

  it.effect("keep = and spaces in a value, and convert @@ to @", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* given("question=a=b = c"), { question: "a=b = c" })
      assert.deepStrictEqual(yield* given("question=@@home"), { question: "@home" })
    }),
  )

  it.effect("append repeated flags to a list", () =>
    Effect.gen(function* () {
      const inputs = yield* given(
        "question=q",
        "regions=north",
        "regions=south",
        "years=2023",
        "years=2024",
      )
      assert.deepStrictEqual(inputs, {
        question: "q",
        regions: ["north", "south"],
        years: [2023, 2024],
      })
    }),
  )

  it.effect("refuse a file that does not fit without its content, and a file for a path", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "inputs-"))
      const file = join(folder, "tickets.csv")
      writeFileSync(file, "id,name\n1,Ada Secret\n")
      const refused = yield* Effect.flip(given("question=q", `filter=@${file}`))
      assert.include(refused.message, `${file} does not hold it as JSON`)
      const path = yield* Effect.flip(given("question=q", `table=@${file}`))
      assert.strictEqual(path.help, `table=${file}`)
      assert.notInclude(`${refused.message}${refused.help}${path.message}`, "Ada")
      rmSync(folder, { recursive: true })
    }),
  )

  const refusals: ReadonlyArray<
    readonly [args: ReadonlyArray<string>, message: RegExp, help: RegExp]
  > = [
    [[], /needs an input that is missing/, /question {2}text\. What to find out/],
    [["question=q", "toString=x"], /no input "toString"/, /.*/],
    [["quetion=x"], /no input "quetion"/, /did you mean "question"/],
    [["question=q", "limit=many"], /"limit" expects a whole number from 1 to 9, not "many"/, /.*/],
    [["question=q", "strict=perhaps"], /expects true or false/, /--input strict=true/],
    [["question=q", "filter=x"], /expects an object/, /@file\.json/],
    [["question=q", "filter=rows.csv"], /expects an object/, /--input filter=@rows\.csv/],
    [["question=q", "question=r"], /"question" is given twice/, /.*/],
    [["question"], /--input expects name=value/, /question=value/],
    [["question=@no/such/file"], /no\/such\/file cannot be read: file not found/, /.*/],
  ]
  for (const [args, message, help] of refusals) {
    it.effect(`refuse ${args.join(" ") || "no inputs"} with a message and help`, () =>
      Effect.gen(function* () {
        const refused = yield* Effect.flip(given(...args))
        assert.strictEqual(refused.exit, "usage")
        assert.match(refused.message, message)
        assert.match(refused.help ?? "", help)
      }),
    )
  }
})
