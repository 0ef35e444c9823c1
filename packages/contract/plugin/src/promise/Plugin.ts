/** Plugins, sections and file kinds in promise style. */
import type { FromSchema } from "@planloom/schema"
import * as Effect from "effect/Effect"
import type { Codec } from "effect/Schema"
import type { Assignment } from "../run/Assignment.ts"
import type { Declared } from "../component/Declared.ts"
import type { Failure, ToolFailed } from "../run/Failure.ts"
import type { FileKind as EffectFileKind } from "../component/FileKind.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import {
  definePlugin as defineEffectPlugin,
  type Components,
  type Host as EffectHost,
  type Plugin,
  type PluginSpec as EffectSpec,
  type PromisedSource as EffectPromised,
  type Provides as EffectProvides,
} from "../Plugin.ts"
import type { LateConfig } from "../value/readConfig.ts"
import type { Known, Problem } from "../component/Reference.ts"
import type {
  Bound as EffectBound,
  SectionContext as EffectSectionContext,
  SectionKind as EffectSectionKind,
} from "../component/SectionKind.ts"
import type { ToolList } from "../component/Tool.ts"
import type { Async, CallSignal } from "./Async.ts"
import { fromAsync } from "./fromAsync.ts"
import { failureOrDefect, stageFailure, toolFailure } from "./Thrown.ts"
import { translate } from "./translate.ts"

/** Host services for a plugin's `setup`. */
export interface Host extends EffectHost {
  /** Aborted when the load is cancelled. */
  readonly signal: AbortSignal
  /** Registers a function that closes what `setup` opened, called in reverse order when the host releases the plugin. */
  readonly onRelease: (release: () => void | PromiseLike<void>) => void
}

/** The components that `setup` returns, so that `check` knows them without running it. */
export type Provides = Omit<EffectProvides, "tools"> & {
  readonly tools?: ReadonlyArray<string | PromisedSource>
}

/** The tools that a source lists once it is set up; it may list more. */
export interface PromisedSource extends Omit<EffectPromised, "known"> {
  /** The list of the last synchronization, by the plugin's config. It starts and connects to nothing. */
  readonly known?: (config: any, declared: Declared) => ToolList | PromiseLike<ToolList>
}

export interface PluginSpec<Config> extends Omit<
  EffectSpec<Config>,
  "config" | "provides" | "setup"
> {
  readonly provides?: Provides
  /** Typed config, an Effect Schema or what imports one; unknown keys and wrong types are reported at their location in the YAML. */
  readonly config?: Codec<Config, any> | LateConfig<Config>
  /** Opens resources. Not called by `check`. A `StageFailed` of class `invalid_request` is reported at the config key that `detail` names. */
  readonly setup?: (config: Config, host: Host) => Components | PromiseLike<Components>
}

/** Declares a plugin. Export it as `default`. */
export const definePlugin = <Config = undefined>({
  provides,
  setup,
  ...spec
}: PluginSpec<Config>): Plugin =>
  defineEffectPlugin<Config>({
    ...spec,
    ...(provides && { provides: providing(provides) }),
    ...(setup === undefined
      ? {}
      : {
          setup: (config: Config, host: EffectHost) => setUp(setup, config, host),
        }),
  })

const providing = ({ tools, ...others }: Provides): EffectProvides => ({
  ...others,
  ...(tools && {
    tools: tools.map((one) => {
      if (typeof one === "string") return one
      const { id, known, ...source } = one
      return {
        id,
        ...source,
        ...(known && {
          known: (config: unknown, declared: Declared) =>
            fromAsync<ToolList, ToolFailed>(() => known(config, declared), toolFailure(id)),
        }),
      }
    }),
  }),
})

const setUp = <Config>(
  setup: NonNullable<PluginSpec<Config>["setup"]>,
  config: Config,
  host: EffectHost,
) =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync((): Array<() => void | PromiseLike<void>> => []),
      (releases) => Effect.promise(() => releaseAll(releases)),
    ),
    (releases) =>
      fromAsync(
        ({ signal }) =>
          setup(config, {
            ...host,
            signal,
            onRelease: (release) => {
              releases.push(release)
            },
          }),
        stageFailure,
      ),
  )

const releaseAll = async (releases: Array<() => void | PromiseLike<void>>): Promise<void> => {
  for (const release of releases.reverse()) await release()
}

/** A kind of file. Stage kinds read the files of a kind with `StageContext.files`. */
export interface FileKind<Schema extends JsonSchema = JsonSchema> extends Omit<
  EffectFileKind,
  "schema" | "check" | "refers"
> {
  readonly schema: Schema
  /** Names in the file that must exist. */
  readonly refers?: (value: FromSchema<Schema>) => ReturnType<NonNullable<EffectFileKind["refers"]>>
  readonly check?: (
    value: FromSchema<Schema>,
    known: Known,
  ) => ReadonlyArray<Problem> | PromiseLike<ReadonlyArray<Problem>>
}

/** Declares a file kind. `schema` types its values. */
export const fileKind = <const Schema extends JsonSchema>({
  check,
  ...kind
}: FileKind<Schema>): EffectFileKind =>
  ({
    ...kind,
    ...(check === undefined
      ? {}
      : {
          check: (value: FromSchema<Schema>, known: Known) =>
            fromAsync<ReadonlyArray<Problem>, never>(() => check(value, known), Effect.die),
        }),
  }) as unknown as EffectFileKind

/** What the values of a section are made from. */
export interface SectionContext extends Async<EffectSectionContext>, CallSignal {}

interface Assignments {
  readonly [experiment: string]: Assignment
}

/** Behavior of a section in a run. */
export interface Bound extends Omit<EffectBound, "variables" | "variants"> {
  /** Values of `variables`, made once and recorded. */
  readonly variables?: (context: SectionContext) => JsonObject | PromiseLike<JsonObject>
  /** The variants of experiments, made once when the run starts and recorded. Of a workflow or project. */
  readonly variants?: (context: SectionContext) => Assignments | PromiseLike<Assignments>
}

/** A key of a workflow, a stage or the project file. */
export interface SectionKind<Schema extends JsonSchema = JsonSchema> extends Omit<
  EffectSectionKind,
  "schema" | "refers" | "check" | "expressions" | "variables" | "bind"
> {
  readonly schema: Schema
  /** Names in the section that must exist. */
  readonly refers?: (
    value: FromSchema<Schema>,
  ) => ReturnType<NonNullable<EffectSectionKind["refers"]>>
  readonly check?: (value: FromSchema<Schema>, known: Known) => ReadonlyArray<Problem>
  /** CEL in the section that code of the plugin evaluates; `check` types it. Its schema is a string of format `cel`. */
  readonly expressions?: (
    value: FromSchema<Schema>,
    known: Known,
  ) => ReturnType<NonNullable<EffectSectionKind["expressions"]>>
  /** What expressions may read under the key, by name. Needs `variables` of `bind`. */
  readonly variables?: (value: FromSchema<Schema>) => { readonly [name: string]: JsonSchema }
  readonly bind?: (value: FromSchema<Schema>, known: Known) => Bound
}

/** Declares a section. `schema` types its value. */
export const sectionKind = <const Schema extends JsonSchema>({
  bind,
  ...kind
}: SectionKind<Schema>): EffectSectionKind =>
  ({
    ...kind,
    ...(bind === undefined
      ? {}
      : {
          bind: (value: Json, known: Known) => bound(bind(value as FromSchema<Schema>, known)),
        }),
  }) as unknown as EffectSectionKind

const bound = ({ variables, variants, ...others }: Bound): EffectBound => ({
  ...others,
  ...(variables && { variables: made(variables) }),
  ...(variants && { variants: made(variants) }),
})

const made =
  <A>(make: (context: SectionContext) => A | PromiseLike<A>) =>
  (context: EffectSectionContext): Effect.Effect<A, Failure> =>
    fromAsync<A, Failure>(
      (call) => make(translate(context, call) as SectionContext),
      failureOrDefect,
    )
