/** Examples of the keys of a model: under `models:` of a workflow, of the project and of its environments. */
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { byDefault, examples, file, flow, many } from "./worlds.ts"

const body = (models: string, schema = "") => `${models}
defaults: { model: main }
stages: [{ id: ask, uses: generate, with: { task: Say something.${schema} } }]
`

const number = ", schema: { type: object, properties: { n: { type: integer } }, required: [n] }"

const places = [
  { owner: "Workflow.models.*", in: "flow.yaml", at: "models.main" },
  { owner: "Project.models.*", in: "planloom.yaml", at: "models.main" },
  {
    owner: "Project.environments.*.models.*",
    in: "planloom.yaml",
    at: "environments.prod.models.main",
  },
] as const

/** The same model, declared at each place. */
const declared = (
  place: (typeof places)[number],
  alias: string,
  more: Partial<World>,
  schema = "",
) => {
  const models = `models: { main: ${alias} }`
  const world = flow(body(place.in === "flow.yaml" ? models : "", schema), more)
  const project =
    place.owner === "Project.models.*" ? models : `environments: { prod: { ${models} } }`
  return place.in === "flow.yaml"
    ? world
    : {
        ...world,
        files: { ...world.files, "planloom.yaml": file("Project", project) },
        ...(place.at.startsWith("environments") ? { load: { environment: "prod" } } : {}),
      }
}

const cut = { replies: [{ text: "tea and", cut: true }, { text: "and milk" }] }
const said = { replies: many({ text: "tea" }) }
const failed = { replies: many({ fail: { class: "unavailable" } }) }
const misshapen = { replies: [{ json: { m: 1 } }, { json: { n: 1 } }] }
const shaped = { replies: many({ json: { n: 1 } }) }

export const modelExamples: ReadonlyArray<KeyExample> = places.flatMap((place) => {
  const { at, owner } = place
  const settings = { owner, at, file: place.in }
  const one = "{ try: [scripted/one] }"
  return [
    ...examples({ ...settings, world: declared(place, one, said) }, [
      ["try", ["scripted/two"], ["scripted/three"]],
      ["temperature", 0, 1],
      ["top_k", 1, 2],
      ["seed", 1, 2],
      ["max_tokens", 10, 20],
      ["stop", ["a"], ["b"]],
      ["reasoning", "low", "high"],
      ["options", { service_tier: "flex" }, { service_tier: "priority" }],
    ]),
    ...examples({ ...settings, world: declared(place, one, cut) }, [
      ["on_cut", "fail", byDefault("note")],
      ["on_cut", "continue", "fail"],
    ]),
    ...examples({ ...settings, world: declared(place, one, failed) }, [
      ["otherwise", "mechanical", byDefault("fail")],
    ]),
    ...examples({ ...settings, world: declared(place, one, shaped, number) }, [
      ["structured", "tool", "text"],
    ]),
    ...examples({ ...settings, world: declared(place, one, misshapen, number) }, [
      ["repair", false, byDefault(true)],
    ]),
  ]
})
