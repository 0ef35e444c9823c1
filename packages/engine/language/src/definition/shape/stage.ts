/** The shape of a stage: a stage kind at work, or a block of stages. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { ExamplesUse, Fallback, PromptUse, Stage } from "../Definition.ts"
import { withEntry } from "../../source/layout.ts"
import type { Fix } from "../Fix.ts"
import type { DecodeContext, Shape } from "../Shape.ts"
import { assertions } from "./assertion.ts"
import { byType, jsonObject, lazy, list, map } from "./collections.ts"
import { jsonSchema } from "./jsonSchema.ts"
import { forEach, repeat } from "./loops.ts"
import { defaulted, object, optional, required, type ObjectOptions } from "./object.ts"
import { stageWords } from "./stageWords.ts"
import { budget, concurrency, retry } from "./policies.ts"
import { SWITCH, withCases } from "./switch.ts"
import { boolean, duration, expression, name, number, oneOf, text } from "./scalars.ts"

const noValues: JsonObject = {}

const promptUse: Shape<PromptUse> = byType<PromptUse>(
  {
    string: map(text("the name of a prompt"), (use) => ({ use, mode: undefined })),
    mapping: object(
      {
        use: required(text("the name of a prompt"), "A name under `prompts:`."),
        mode: optional(
          text("the name of a prompt mode"),
          "`full`, `routing`, `minimal`, a name under `modes:`, or an expression.",
        ),
      },
      {
        expected: "a prompt such as { use: planner, mode: full }",
        aliases: { name: "use", prompt: "use" },
      },
    ),
  },
  "the name of a prompt, or { use, mode }",
  { use: "", mode: undefined },
)

const examplesUse: Shape<ExamplesUse> = object(
  {
    file: required(text("a path"), "A file of examples."),
    user: required(text(), "What the user says in an example: text with `${{ inputs.… }}`."),
    max_tokens: optional(
      number({ integer: true, minimum: 1 }),
      "Of all examples together; where not all fit, those most like the question are shown.",
    ),
  },
  {
    expected: "examples such as { file: ../examples/plan.yaml, user: … }",
    aliases: { path: "file", message: "user" },
  },
)

const fallback: Shape<Fallback> = object(
  {
    uses: required(text("the name of a stage kind"), "The stage kind that runs instead."),
    with: defaulted(jsonObject, noValues, "Its input; values may hold expressions."),
    prompt: optional(promptUse, "Its prompt."),
    model: optional(text("the name of a model"), "Its model."),
  },
  { expected: "a fallback such as { uses: respond, with: … }" },
)

const fields = {
  id: required(name, "Its name: what expressions, events and reports call it."),
  description: optional(text(), "For people."),
  uses: optional(text("the name of a stage kind"), "The stage kind that does the work."),
  if: optional(expression("true or false"), "Runs only when this is true."),
  needs: optional(
    list(name, { expected: "a list of stage ids" }),
    "The stages it waits for; makes the block a graph.",
  ),
  for_each: optional(
    forEach,
    "Runs once for each item of a list; the output is the list of outputs.",
  ),
  repeat: optional(repeat, "Repeats the block until something holds."),
  prompt: optional(promptUse, "The prompt, by name, and its mode."),
  examples: optional(examplesUse, "Examples its model is shown before the question."),
  model: optional(text("the name of a model"), "A name under `models:`, or provider/model."),
  with: defaulted(jsonObject, noValues, "The kind's input; values may hold expressions."),
  stages: optional(
    list(
      lazy("stage", "a stage", (): Shape<Stage> => whole),
      { atLeast: 1, expected: "a list of stages", named: "id" },
    ),
    "A block of stages.",
  ),
  output: optional(jsonSchema, "JSON Schema of the output; narrows what the kind says."),
  assert: defaulted(assertions, [], "What must hold once the stage has its output."),
  timeout: optional(duration, "Per attempt."),
  retry: optional(retry, "A retry policy, by name or in place."),
  repair: optional(
    boolean,
    "false: a reply that does not match its schema is not sent back once for repair.",
  ),
  budget: optional(budget, "What this stage may spend."),
  concurrency: optional(concurrency, "How many of this stage at once, over all runs."),
  on_error: optional(
    oneOf("fail", "continue", "fallback"),
    "fail ends the run, continue runs the rest without the output, fallback runs `fallback`.",
  ),
  fallback: optional(fallback, "What runs in its place when it failed."),
}

/** Keys of a stage in the order of `fmt`. */
export const stageKeys: ReadonlyArray<string> = Object.keys(fields)

const options: ObjectOptions = {
  expected: "a stage such as { id: plan, uses: adapt }",
  sections: "stage",
  aliases: stageWords,
  check: (raw, context) => checkTogether(raw, context),
}

const written = object(fields, options)

/** A stage of a case, which is named by its case unless it has an id. */
const writtenCase = object(
  {
    ...fields,
    id: defaulted(name, "", "Its name; that of the switch and the case unless written."),
  },
  { ...options, expected: "a stage without id, such as { uses: set, with: { value: none } }" },
)

/** A stage that is nothing but a prompt. */
const asksModel = ({ prompt, task }: { readonly [key: string]: unknown }): boolean =>
  [prompt, task].some((one) => typeof one === "string" && one.includes(" "))

const generates: Fix = {
  write: (document, path) => {
    const added = withEntry(document, path, "uses: generate")
    return added && [added]
  },
}

const conflict = (context: DecodeContext, key: string, message: string, help?: string): void =>
  context.at(key).problem({ code: "PL0110", message, help, spot: "key" })

/** What does not go together in one stage. */
const checkTogether = (raw: { readonly [key: string]: unknown }, context: DecodeContext): void => {
  const has = (key: string): boolean => raw[key] !== undefined && raw[key] !== null
  if (has("uses") && has("stages")) {
    conflict(
      context,
      "stages",
      "a stage has `uses` or `stages`, not both",
      "put the work into a stage of the block",
    )
  }
  if (!has("uses") && !has("stages") && !has("<<") && !hasForeignWord(raw)) {
    context.problem({
      code: "PL0102",
      message: 'the key "uses" is missing',
      help: "uses: the stage kind that does the work; or stages: a block of stages",
      fix: asksModel(raw) ? generates : undefined,
      spot: "key",
    })
  }
  if (has("repeat") && !has("stages") && has("uses")) {
    conflict(
      context,
      "repeat",
      "`repeat` repeats a block",
      "put this stage into `stages:` of a stage with the repeat",
    )
  }
  if (has("repeat") && has("for_each")) {
    conflict(
      context,
      "for_each",
      "a stage has `repeat` or `for_each`, not both",
      "put one inside the other",
    )
  }
  for (const key of ["with", "prompt", "examples", "model", "repair", "fallback"]) {
    if (has(key) && has("stages") && !has("uses")) {
      conflict(context, key, `a block has no \`${key}\``, "write it on the stages of the block")
    } else if (has(key) && key !== "with" && raw["uses"] === SWITCH) {
      conflict(context, key, `a switch has no \`${key}\``, "write it on the stages of its cases")
    }
  }
  if (raw["on_error"] === "fallback" && !has("fallback")) {
    conflict(
      context,
      "on_error",
      "`on_error: fallback` needs a `fallback`",
      "add fallback: { uses: …, with: … }",
    )
  }
  if (has("fallback") && has("on_error") && raw["on_error"] !== "fallback") {
    conflict(
      context,
      "on_error",
      "with a `fallback`, `on_error` is fallback",
      "remove one of the two",
    )
  }
}

/** `use:` or `steps:` were meant as `uses` or `stages` and are reported as that. */
const hasForeignWord = (raw: { readonly [key: string]: unknown }): boolean =>
  ["use", "kind", "type", "run", "steps", "do", "tasks", "stage", "Uses", "using"].some(
    (key) => raw[key] !== undefined,
  )

type Written = Omit<Stage, "on_error" | "branch"> & {
  readonly on_error: Stage["on_error"] | undefined
}

/** With a fallback, `on_error` says so. */
const complete = (one: Written): Stage => ({
  ...one,
  branch: undefined,
  on_error: one.fallback
    ? "fallback"
    : one.on_error === "fallback"
      ? "fail"
      : (one.on_error ?? "fail"),
})

const stageOrSwitch = (shape: Shape<Written>): Shape<Stage> => ({
  ...shape,
  decode: (value, context) => {
    const one = complete(shape.decode(value, context))
    return one.uses === SWITCH ? withCases(one, context, inCase) : one
  },
})

const inCase: Shape<Stage> = lazy("case", writtenCase.expected, () => stageOrSwitch(writtenCase))

const whole: Shape<Stage> = {
  ...stageOrSwitch(written),
  schema: (definitions) => ({
    ...written.schema(definitions),
    anyOf: [{ required: ["uses"] }, { required: ["stages"] }],
  }),
}

export const stage: Shape<Stage> = lazy("stage", whole.expected, () => whole)
