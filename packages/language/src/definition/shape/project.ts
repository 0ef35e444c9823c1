/** The shape of `planloom.yaml`: plugin config, model aliases, environments and the run store. */
import type { Json, JsonObject } from "@planloom/plugin"
import type { ModelAlias } from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { jsonObject, list, map, record } from "./collections.ts"
import { header } from "./header.ts"
import { modelAlias } from "./modelAlias.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { duration, json, number, text } from "./scalars.ts"

export interface Environment {
  /** `defaults.timeout` → value: set in the workflow before it is read. */
  readonly set: { readonly [path: string]: Json }
  readonly models: { readonly [alias: string]: ModelAlias }
}

export interface Project {
  /** By the name under a workflow's `use.plugins`. */
  readonly plugins: { readonly [name: string]: JsonObject }
  readonly models: { readonly [alias: string]: ModelAlias }
  /** Files of kind Models. */
  readonly model_facts: ReadonlyArray<string>
  readonly environments: { readonly [name: string]: Environment }
  /** Which recorded runs are kept after the next one: age in milliseconds, and how many. */
  readonly runs: { readonly keep: { readonly age?: number; readonly count?: number } } | undefined
  readonly store: { readonly uses: string; readonly with: JsonObject } | undefined
}

const aliases = record(modelAlias)

const environment: Shape<Environment> = object(
  {
    set: defaulted(
      record(json, { names: "free" }),
      {},
      "Path in a workflow to its value here, such as defaults.timeout: 5s.",
    ),
    models: defaulted(aliases, {}, "Models by the name stages use."),
  },
  { expected: "an environment such as { set: { defaults.timeout: 5s } }" },
)

const keep: Shape<NonNullable<Project["runs"]>["keep"]> = map(
  object(
    {
      age: optional(duration, "Runs that ended longer ago are forgotten."),
      count: optional(number({ integer: true, minimum: 1 }), "Only the newest so many stay."),
    },
    { expected: "what to keep, such as { age: 30d, count: 1000 }" },
  ),
  ({ age: oldest, count }) => ({
    ...(oldest === undefined ? {} : { age: oldest }),
    ...(count === undefined ? {} : { count }),
  }),
)

const fields = {
  ...header("Project"),
  plugins: defaulted(
    record(jsonObject, { names: "free" }),
    {},
    "Config by plugin; read by the plugin's own schema.",
  ),
  models: defaulted(aliases, {}, "Models by the name stages use; a workflow's own win."),
  model_facts: defaulted(list(text("a path")), [], "Files of kind Models."),
  environments: defaulted(record(environment), {}, "Settings by name, chosen with --env."),
  runs: optional(
    object(
      { keep: required(keep, "How long, and how many.") },
      { expected: "runs such as { keep: { age: 30d, count: 1000 } }" },
    ),
    "Which recorded runs are kept; runs that can be resumed are always kept.",
  ),
  store: optional(
    object(
      {
        uses: required(text("the id of a store"), "A run store a plugin gives."),
        with: defaulted(jsonObject, {}, "Its config."),
      },
      { expected: "a store such as { uses: sqlite }" },
    ),
    "Where runs are kept.",
  ),
}

/** Keys of the project file. */
export const projectKeys: ReadonlyArray<string> = Object.keys(fields)

export const project: Shape<Project> = map(
  object(fields, {
    expected: "a project",
    sections: "project",
    aliases: { env: "environments", envs: "environments", stores: "store" },
  }),
  ({ apiVersion: _version, kind: _kind, ...rest }): Project => rest,
)
