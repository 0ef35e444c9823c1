/** One stage kind at work: its `with`, its schemas, its model and its prompt, bound. */
import type { Json, JsonObject, JsonSchema, StageKind } from "@planloom/plugin/effect"
import {
  compileExpression,
  compileValue,
  literalEntries,
  unwrapExpression,
  usedBy,
  withTextAt,
  type CompiledValue,
} from "@planloom/expression"
import { withDefaults } from "@planloom/schema/defaults"
import { validatorOf } from "@planloom/schema/ajv"
import type {
  Definition,
  ExamplesUse,
  Fallback,
  RunResources,
  ListProblem,
  LiveTools,
  ToolRegistry,
} from "@planloom/language"
import type { Facts } from "@planloom/plugin/facts"
import type { ExampleTurn, PromptTable } from "@planloom/prompt"
import { flagValues } from "./loopBounds.ts"
import { pastView } from "../pastView.ts"
import type { ModelRegistry } from "../ModelRegistry.ts"
import type { KindWork, NodeExamples, Pipeline } from "../Pipeline.ts"

/** What compiling needs beside the definition. */
export interface Bindings {
  readonly resources: RunResources
  readonly tools: ToolRegistry
  readonly liveTools?: LiveTools | undefined
  readonly listProblems: ReadonlyArray<ListProblem>
  readonly facts: Facts
  readonly models: ModelRegistry
  readonly prompts: PromptTable
  /** Of the workflow's inputs, as one object. */
  readonly inputs: JsonSchema
  readonly workflows: ReadonlyMap<string, Pipeline>
  /** Folders and files that runs may read. */
  readonly roots: ReadonlyArray<string>
}

export const compileKind = (
  stage: Fallback & {
    readonly id: string
    readonly output: JsonSchema | undefined
    readonly repair?: boolean | undefined
    readonly examples?: ExamplesUse | undefined
  },
  definition: Definition,
  bindings: Bindings,
  /** The stage whose output it gives. */
  owner: string,
): KindWork => {
  const { components, owners, uncheckedKinds } = bindings.resources
  const plugin = owners?.get(`stages/${stage.uses}`)
  const kind = components.stages.get(stage.uses)!
  const written = conditionTexts(kind, stage.with)
  let given: Json = stage.with
  for (const [key, text] of Object.entries(written)) given = withTextAt(given, key, () => text)
  const value = compileValue(withDefaults(kind.input, given as JsonObject))
  const model =
    kind.model === undefined && kind.run === undefined
      ? undefined
      : bindings.models.bind(stage.id, stage.model ?? definition.defaults.model)
  const outputSchema = stage.output ?? outputSchemaOf(kind, stage.with, bindings.resources)
  const isChecked = value.constant && uncheckedKinds?.has(stage.uses) !== true
  const reply =
    typeof kind.streams === "function" ? kind.streams(literalEntries(stage.with)) : kind.streams
  const references = kind.refers?.(literalEntries(stage.with), stage.with) ?? []
  return {
    type: "kind",
    kind,
    uses: stage.uses,
    component: plugin === undefined ? stage.uses : `${plugin}/${stage.uses}`,
    with: value,
    documents: documentsIn(value),
    conditions: new Map(
      Object.entries(written).map(([key, text]) => [key, compileExpression(text)]),
    ),
    workflows: references.flatMap(({ id, to }) => (to === "workflow" ? [id] : [])),
    validateInput: isChecked ? undefined : validatorOf(kind.input),
    validateOutput: validatorOf(outputSchema),
    outputSchema,
    get model() {
      return model?.()
    },
    repair: stage.repair,
    text: reply,
    streams: reply === undefined ? [] : streamedTo(reply, definition, owner),
    prompt: stage.prompt && bindings.prompts.of(stage.prompt),
    examples: compileExamples(stage.examples, definition, bindings.resources),
  }
}

const documentsIn = ({ references }: CompiledValue): KindWork["documents"] => {
  const read = usedBy(references, "documents")
  return read !== "all" && read.size === 0 ? undefined : read
}

/** The streamed outputs that are the field which holds the reply; `check` has seen that they are nothing else. */
const streamedTo = (field: string, { outputs }: Definition, stage: string): ReadonlyArray<string> =>
  Object.entries(outputs).flatMap(([name, { stream, value }]) => {
    if (!stream) return []
    const [root, id, , of] = compileValue(value).references[0] ?? []
    return root === "stages" && id === stage && of === field ? [name] : []
  })

/** Conditions of the kind in a `with`, as CEL without a surrounding `${{ }}`. */
const conditionTexts = (
  { conditions }: StageKind,
  given: JsonObject,
): { readonly [key: string]: string } =>
  Object.fromEntries(
    Object.keys(conditions?.(literalEntries(given), given) ?? {}).flatMap((key) => {
      const found: Array<readonly [string, string]> = []
      withTextAt(given, key, (text) => {
        found.push([key, unwrapExpression(text)])
        return text
      })
      return found
    }),
  )

/** The output schema of a stage kind, given the literal parts of its `with`. */
const outputSchemaOf = (
  kind: StageKind,
  given: JsonObject,
  { tools, workflows }: RunResources,
): JsonSchema =>
  typeof kind.output === "function"
    ? kind.output(literalEntries(given), {
        given: () => undefined,
        workflow: (path) => workflows?.get(path)?.outputs,
        toolResult: (name) => tools.find((tool) => tool.name === name)?.result,
      })
    : kind.output

const compileExamples = (
  use: ExamplesUse | undefined,
  definition: Definition,
  resources: RunResources,
): NodeExamples | undefined => {
  if (use === undefined) return undefined
  const { examples } = resources.examples!.get(use.file)!
  const user = compileValue(use.user)
  const { session } = definition
  const defaults = defaultsOf(definition.inputs)
  let turns: ReadonlyArray<ExampleTurn> | undefined
  return {
    file: use.file,
    examples,
    user,
    maxTokens: use.max_tokens,
    turns: () =>
      (turns ??= examples.map(({ inputs, output, session: past }) => ({
        user: String(
          user.evaluate({
            inputs: { ...defaults, ...inputs },
            flags: flagValues(definition),
            ...(session === undefined ? {} : { session: pastView(session, past) }),
          }),
        ),
        assistant: JSON.stringify(output),
        before: past?.turns ?? [],
      }))),
  }
}

/** The `default`s of a schema's properties. */
export const defaultsOf = (properties: { readonly [name: string]: JsonSchema }): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      typeof schema === "object" && "default" in schema ? [[name, schema["default"]]] : [],
    ),
  ) as JsonObject
