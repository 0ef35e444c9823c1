/** Kinds of other tools that ask a model for data in a shape, written as `generate` with a schema. */
import { snakeCase } from "@planloom/expression/suggestion"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Fix } from "../Fix.ts"
import { withEntry } from "../../source/layout.ts"
import type { Replacement } from "../../source/Replacement.ts"
import { scalarText } from "../../source/scalarText.ts"

interface Asking {
  readonly kinds: ReadonlyArray<string>
  readonly task: string
  /** Keys that hold what is asked for. */
  readonly shape: ReadonlyArray<string>
  readonly schema: (shape: Json) => string | undefined
}

/** Keys by which other tools name what the model reads. */
const contexts = ["context", "input", "text", "document", "content", "query"]

const askings: ReadonlyArray<Asking> = [
  {
    kinds: ["classify", "classifier", "classification", "categorize", "label"],
    task: "Choose the label that fits.",
    shape: ["labels", "categories", "classes", "options"],
    schema: (labels) =>
      Array.isArray(labels) && labels.every((one) => typeof one === "string")
        ? `{ type: object, required: [label], properties: { label: { enum: [${labels.map((one) => scalarText(one as string, true)).join(", ")}] } } }`
        : undefined,
  },
  {
    kinds: ["extract", "extraction", "extractor", "parse", "structured_output", "extract_data"],
    task: "Read the data from the context.",
    shape: ["schema", "output_schema", "json_schema"],
    schema: () => "",
  },
]

/** The edit of a stage whose `with` says what is asked for, and of what. */
export const askedFor = (uses: string, given: JsonObject): Fix | undefined => {
  const asking = askings.find(({ kinds }) => kinds.includes(snakeCase(uses)))
  const keys = Object.keys(given)
  const shape = asking?.shape.find((key) => keys.includes(key))
  const read = keys.filter((key) => contexts.includes(key))
  const schema = shape === undefined ? undefined : asking!.schema(given[shape]!)
  if (asking === undefined || schema === undefined || read.length !== 1) return undefined
  return {
    write: (document, path) => {
      const { text } = document.file
      const at = [...path.slice(0, -1), "with"]
      const kind = document.written(path, "value")
      const context = document.written([...at, read[0]!], "key")
      const held = document.written([...at, shape!], schema === "" ? "key" : "entry")
      const task = keys.includes("task") ? [] : [withEntry(document, at, `task: ${asking.task}`)]
      if (kind === undefined || context === undefined || held === undefined) return undefined
      const parts = [
        { ...kind, text: "generate" },
        ...task,
        ...(text.slice(context.from, context.to) === "context"
          ? []
          : [{ ...context, text: "context" }]),
        { ...held, text: schema === "" ? "schema" : `schema: ${schema}` },
      ]
      return parts.includes(undefined) ? undefined : apart(parts as ReadonlyArray<Replacement>)
    },
  }
}

/** An entry added where a key is replaced goes into that replacement. */
const apart = (parts: ReadonlyArray<Replacement>): ReadonlyArray<Replacement> => {
  const added = parts.find(({ from, to }) => from === to)
  const after = parts.find((one) => one !== added && one.from === added?.from)
  return added === undefined || after === undefined
    ? parts
    : [
        ...parts.filter((one) => one !== added && one !== after),
        { ...after, text: added.text + after.text },
      ]
}
