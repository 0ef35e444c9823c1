/** The shape of `planloom.yaml`: plugin config, model aliases, environments and the run store. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Definition, ModelAlias } from "../Definition.ts"
import type { Shape } from "../Shape.ts"
import { jsonObject, list, map, record } from "./collections.ts"
import { header } from "./header.ts"
import { modelAlias } from "./modelAlias.ts"
import { defaulted, object, optional } from "./object.ts"
import { boolean, duration, json, number, text } from "./scalars.ts"
import { telemetry } from "./telemetry.ts"

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
  readonly runs: Runs | undefined
  readonly telemetry: Definition["telemetry"]
  readonly serve: Serve | undefined
  /** Folders that runs may read, relative to the project file; the project's own unless given. */
  readonly roots: ReadonlyArray<string> | undefined
}

/** Settings of `planloom serve`. */
export interface Serve {
  /** Requests per minute that a client may send. */
  readonly rate: number | undefined
  /** Whether `GET /metrics` has metrics. */
  readonly metrics: boolean | undefined
  /** Milliseconds for which the event loop may stand still. */
  readonly watchdog: number | "off" | undefined
}

export interface Runs {
  /** Id of a store. */
  readonly store: string | undefined
  /** Names of the secrets that its plugin may read. */
  readonly secrets: ReadonlyArray<string>
  /** Which recorded runs are kept after the next one: age in milliseconds, and how many. */
  readonly keep: { readonly age?: number; readonly count?: number } | undefined
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

const keep: Shape<NonNullable<Runs["keep"]>> = map(
  object(
    {
      age: optional(duration, "Runs that ended longer ago are deleted."),
      count: optional(number({ integer: true, minimum: 1 }), "Only the newest so many stay."),
    },
    { expected: "what to keep, such as { age: 30d, count: 1000 }" },
  ),
  ({ age: oldest, count }) => ({
    ...(oldest === undefined ? {} : { age: oldest }),
    ...(count === undefined ? {} : { count }),
  }),
)

const runs: Shape<Runs> = object(
  {
    store: optional(
      text("the id of a store"),
      "The store that records runs; sqlite unless given. Others come from plugins under plugins.",
    ),
    secrets: defaulted(
      list(text("the name of a secret")),
      [],
      "Secrets that the plugin of the store may read.",
    ),
    keep: optional(keep, "Which ended runs are kept; runs that can be resumed always are."),
  },
  { expected: "runs such as { store: sqlite, keep: { age: 30d, count: 1000 } }" },
)

/** Bounds of `serve.watchdog` in milliseconds: shorter stalls are usual, and a longer one would hold up every run. */
export const stallTimes = { least: 500, most: 3_600_000 }

const aStallTime = "a duration from 500ms to 1h, or off"

const stallTime: Shape<number | "off"> = {
  kind: "duration",
  expected: aStallTime,
  decode: (value, context) => {
    if (value === "off") return "off"
    const time = duration.decode(value, context)
    if (time < stallTimes.least || time > stallTimes.most) {
      context.problem({ code: "PL0105", message: `${String(value)} is not ${aStallTime}` })
    }
    return time
  },
  schema: (schemas) => ({ anyOf: [{ const: "off" }, duration.schema(schemas)] }),
}

const serve: Shape<Serve> = object(
  {
    rate: optional(
      number({ integer: true, minimum: 1 }),
      "Requests per minute that a client may send; --rate wins.",
    ),
    metrics: optional(
      boolean,
      "Whether metrics of runs and requests are kept, for Prometheus to read at /metrics; --metrics does the same.",
    ),
    watchdog: optional(
      stallTime,
      "How long code of a run may keep the event loop from turning, then the server ends; 10s unless given. --watchdog wins.",
    ),
  },
  { expected: "settings of the server such as { rate: 600 }" },
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
  runs: optional(runs, "Where runs are recorded, and how long."),
  telemetry: optional(
    telemetry,
    "Where spans and metrics of runs are exported; a workflow's own wins.",
  ),
  serve: optional(serve, "How planloom serve answers its clients."),
  roots: optional(
    list(text("a folder")),
    "Folders that runs may read, relative to this file; the folder of this file unless given.",
  ),
}

/** Keys of the project file. */
export const projectKeys: ReadonlyArray<string> = Object.keys(fields)

export const project: Shape<Project> = map(
  object(fields, {
    expected: "a project",
    sections: "project",
    aliases: { env: "environments", envs: "environments", store: "runs", stores: "runs" },
  }),
  ({ apiVersion: _version, kind: _kind, ...rest }): Project => rest,
)
