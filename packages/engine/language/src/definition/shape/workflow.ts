/** The shape of a workflow file. */
import { isObject } from "@planloom/schema"
import { suggest } from "@planloom/expression/suggestion"
import type { JsonSchema } from "@planloom/plugin/effect"
import type { Defaults, Definition, DocumentDefinition, Output, Use } from "../Definition.ts"
import { wrongType } from "../Shape.ts"
import type { Shape } from "../Shape.ts"
import { jsonObject, list, map, record } from "./collections.ts"
import { checkSchema, jsonSchema, objectSchema } from "./jsonSchema.ts"
import { defaulted, object, optional, required, under } from "./object.ts"
import type { Fix } from "../Fix.ts"
import { first } from "../restructure.ts"
import { withRootEntry } from "../../source/layout.ts"
import { apiVersion, header } from "./header.ts"
import { flag } from "./flag.ts"
import { mode } from "./mode.ts"
import { modelAlias } from "./modelAlias.ts"
import { concurrency, policies, retry } from "./policies.ts"
import { duration, name, nameProblem, text } from "./scalars.ts"
import { session } from "./session.ts"
import { stage } from "./stage.ts"
import { telemetry } from "./telemetry.ts"
import { texts } from "./texts.ts"
import { triggers } from "./triggers.ts"

const path = text("a path")
const underFiles = "write it under use: { files: [...] }"
const nothing: Use = { plugins: [], files: [] }

const use: Shape<Use> = object(
  {
    plugins: defaulted(
      list(text("a package name or path"), { expected: "a list of package names or paths" }),
      [],
      "Packages or local files; only these contribute stage kinds, tools and the rest.",
    ),
    files: defaulted(list(path), [], "Catalogs and files of plugins; each says its own kind."),
  },
  {
    expected: "use such as { plugins: [...], files: [...] }",
    helpFor: (value) =>
      Array.isArray(value) ? `write use: { plugins: ${JSON.stringify(value)} }` : undefined,
    aliases: {
      plugin: "plugins",
      file: "files",
      ...Object.fromEntries(
        ["catalog", "template", "hook", "example"].flatMap((word) => [
          [word, underFiles],
          [`${word}s`, underFiles],
        ]),
      ),
    },
  },
)

const defaults: Shape<Defaults> = object(
  {
    model: optional(text("the name of a model"), "A name under `models:`, or provider/model."),
    timeout: optional(duration, "Per attempt of a stage."),
    retry: optional(retry, "A retry policy, by name or in place."),
  },
  { expected: "defaults such as { model: planner, timeout: 60s }" },
)

const document: Shape<DocumentDefinition> = object(
  {
    tool: required(
      text("the name of a tool"),
      "The tool that gives the text; it has to read only.",
    ),
    params: defaulted(jsonObject, {}, "Its arguments; values may hold expressions."),
    field: optional(
      text("the name of a member"),
      "The member of the result that is the text; `text`, if there is one, or the whole result unless written.",
    ),
  },
  {
    expected: "a document such as { tool: github.read_resource, params: { uri: … } }",
    aliases: { from: "tool", with: "params" },
  },
)

/** JSON Schema keywords and `value` in one mapping, or the value alone. */
const output: Shape<Output> = {
  kind: "output",
  expected: "an output such as { type: string, value: … }",
  decode: (value, context) => {
    if (!isObject(value)) return { schema: true, value, early: false, stream: false }
    const isMisspelled = Object.keys(value).some((key) => suggest(key, ["value"]) !== undefined)
    if (!Object.hasOwn(value, "value") && !isMisspelled) {
      context.problem({
        code: "PL0102",
        message: 'the key "value" is missing',
        help: 'value: what the output is, such as "${{ stages.answer.output.text }}"',
        spot: "key",
      })
    }
    checkSchema(value, context, ["value", "early", "stream"])
    const { early = false, stream = false, value: given, ...schema } = value
    if (typeof early !== "boolean") wrongType(context.at("early"), "true or false", early)
    if (typeof stream !== "boolean") wrongType(context.at("stream"), "true or false", stream)
    return {
      schema: schema as JsonSchema,
      value: given ?? null,
      early: early === true,
      stream: stream === true,
    }
  },
  schema: () => ({
    anyOf: [
      { type: "string" },
      {
        type: "object",
        required: ["value"],
        properties: {
          value: {},
          type: {},
          description: { type: "string" },
          early: {
            type: "boolean",
            default: false,
            description: "Emit it as soon as the stages that it reads have ended.",
          },
          stream: {
            type: "boolean",
            default: false,
            description: "Hand out its text while the model of its stage writes it.",
          },
        },
      },
    ],
  }),
}

const fields = {
  ...header("Workflow"),
  name: required(name, "The workflow's name."),
  description: optional(text(), "For people."),
  use: defaulted(use, nothing, "Plugins, and files such as catalogs."),
  inputs: defaulted(
    record(jsonSchema),
    {},
    "JSON Schema by name; an input without a default is required.",
  ),
  user: optional(
    objectSchema,
    "JSON Schema of the user that the host gives; recorded as personal inputs are.",
  ),
  flags: defaulted(
    record(flag),
    {},
    "Switches by name with their values; environments, PLANLOOM_FLAG_<NAME> and --flag give others.",
  ),
  secrets: defaulted(
    list(text("the name of a secret")),
    [],
    "Names only; usable in plugin config, never in expressions or prompts.",
  ),
  defaults: defaulted(
    defaults,
    { model: undefined, timeout: undefined, retry: undefined },
    "Defaults of every stage.",
  ),
  models: defaulted(record(modelAlias), {}, "Models by the name stages use."),
  embeddings: optional(
    text("the id of an embedder"),
    "The embedder by which tools, examples and files are found, in addition to words.",
  ),
  index: optional(
    text("the id of an index"),
    "The index that searches the tools, examples and files of the workflow; needed where its plugins have several.",
  ),
  policies: defaulted(
    policies,
    { retry: {}, rate: {}, breaker: undefined, budget: undefined },
    "Retry, rate and budget.",
  ),
  timeout: optional(duration, "The whole run's time."),
  concurrency: optional(concurrency, "How many runs at once."),
  modes: defaulted(
    record(mode),
    {},
    "Prompt modes besides `full`, `routing` and `minimal`, or in their place: sections, tools and length.",
  ),
  prompts: defaulted(record(path), {}, "Markdown files by name."),
  documents: defaulted(
    record(document),
    {},
    "Texts by name that tools give, for expressions (`documents.name`) and as sections of modes.",
  ),
  stages: required(
    list(stage, { atLeast: 1, expected: "a list of stages", named: "id" }),
    "In order; `needs:` makes a graph.",
  ),
  finally: defaulted(
    list(stage, { expected: "a list of stages" }),
    [],
    "Runs after the stages, whether or not they failed.",
  ),
  on: optional(triggers, "What starts runs where the workflow is served: times and webhooks."),
  session: optional(session, "State that a session keeps from one run to the next."),
  outputs: defaulted(record(output), {}, "Outputs of the run: JSON Schema keywords and a value."),
  texts: optional(
    texts,
    "Words to end users by name and language, those of the engine among them; expressions read `texts.name`.",
  ),
  telemetry: optional(telemetry, "Where spans and metrics of its runs are exported."),
}

/** A name from that of the file. */
const namedByFile: Fix = {
  write: (file) => {
    const [, stem = ""] = /([^/\\]*?)(?:\.[^/\\]*)?$/.exec(file.file.path) ?? []
    const named = nameProblem(stem)?.better ?? stem
    const entry =
      nameProblem(named) === undefined ? withRootEntry(file, `name: ${named}`) : undefined
    return entry && [entry]
  },
}

/** Keys of a workflow in the order of `fmt`. */
export const workflowKeys: ReadonlyArray<string> = Object.keys(fields)

export const workflow: Shape<Definition> = map(
  object(fields, {
    expected: "a workflow",
    sections: "workflow",
    missingCodes: {
      apiVersion: {
        code: "PL0102",
        help: `add apiVersion: ${apiVersion}`,
        fix: first(`apiVersion: ${apiVersion}`),
      },
      name: { code: "PL0102", help: "add name: my_workflow", fix: namedByFile },
      stages: {
        code: "PL0102",
        help: "add stages: [{ id: answer, uses: generate, with: { task: … } }]",
      },
    },
    aliases: {
      id: "name",
      version: {
        help: "a workflow has no version of its own: keys that begin with x- are yours, such as x-version",
        fix: (value) => ({ key: value === apiVersion ? "apiVersion" : "x-version" }),
      },
      api_version: "apiVersion",
      steps: "stages",
      jobs: "stages",
      tasks: "stages",
      input: "inputs",
      params: "inputs",
      parameters: "inputs",
      input_variables: "inputs",
      variables: "inputs",
      users: "user",
      output: "outputs",
      embedder: "embeddings",
      embedding: "embeddings",
      triggers: "on",
      conversation: "session",
      memory: "session",
      messages: "texts",
      translations: "texts",
      plugins: { ...under("use", "plugins"), help: "write it under use: { plugins: [...] }" },
      files: underFiles,
      catalogs: underFiles,
      templates: underFiles,
      retry: "write a policy under policies: { retry: … } and name it under defaults: { retry: … }",
      budget: under("policies", "budget"),
      model: under("defaults", "model"),
      env: "write the names under secrets, or an input",
      on_error: "write it on a stage; what always runs goes under finally",
    },
  }),
  ({ apiVersion: _version, kind: _kind, ...definition }): Definition => definition,
)
