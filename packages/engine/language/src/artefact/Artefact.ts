/** A checked workflow as one JSON value: what running it needs of its files, without the values of its secrets. */
import * as Data from "effect/Data"
import type { Json, JsonObject, StageKind, Tool } from "@planloom/plugin/effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import type { Definition } from "../definition/Definition.ts"
import type { Example } from "../definition/Examples.ts"
import type { PluginSection, PromptFile } from "../definition/Resources.ts"
import { isPromised } from "../load/plugins/Registry.ts"
import { readFileSync } from "../source/FileSystem.ts"
import { digestOf } from "./digestOf.ts"

export const ARTEFACT_VERSION = "planloom/artefact/v1"

export interface Artefact {
  readonly apiVersion: typeof ARTEFACT_VERSION
  /** Version of the engine that built it. Only the same version reads it: a definition's form may change with each. */
  readonly engine: string
  readonly name: string
  /** Every file it was built from, by path from the workflow's folder. */
  readonly sources: ReadonlyArray<{ readonly path: string; readonly sha256: string }>
  /** From the artefact's folder to the workflow's, from where plugins are found. */
  readonly root: string
  /** Folders that its runs may read, from the workflow's. */
  readonly roots: ReadonlyArray<string>
  readonly keep?: { readonly age?: number; readonly count?: number }
  readonly workflow: ArtefactWorkflow
  /** Of everything above, as JSON without blanks. */
  readonly digest: string
}

export interface ArtefactWorkflow {
  readonly definition: Definition
  /** Plugins to load: those its definition names, without those of which it uses nothing. */
  readonly plugins: ReadonlyArray<string>
  /** Their configs, by name, from the project file. */
  readonly configs: { readonly [plugin: string]: JsonObject }
  /** Stage kinds it uses, with fingerprints of the schemas it was checked with; null if unknown before set-up. */
  readonly kinds: { readonly [id: string]: string | null }
  readonly catalog: ReadonlyArray<Tool>
  /** The files of kinds that plugins declare, by kind. */
  readonly files: { readonly [kind: string]: ReadonlyArray<ArtefactFile> }
  readonly sections: ReadonlyArray<ArtefactSection>
  readonly prompts: ReadonlyArray<PromptFile>
  /** By path as written. */
  readonly examples: { readonly [file: string]: ReadonlyArray<Example> }
  /** Those that differ from what the engine knows by itself. */
  readonly facts: { readonly [model: string]: ModelFacts }
  /** Workflows that its stages run, by path as written. */
  readonly workflows: { readonly [path: string]: ArtefactWorkflow }
}

/** The content of a file, and its path from the workflow's folder. */
export interface ArtefactFile {
  readonly file: string
  readonly value: Json
}

/** A key that a plugin gives meaning. */
export interface ArtefactSection extends Pick<PluginSection, "key" | "on" | "path" | "value"> {
  /** That holds it, from the workflow's folder. */
  readonly file: string
  readonly fingerprint: string
}

/** An artefact cannot be run here. */
export class ArtefactRejected extends Data.TaggedError("ArtefactRejected")<{
  readonly reason:
    /** The file cannot be read. */
    | "unreadable"
    /** It is JSON, or text, of another kind. */
    | "not_an_artefact"
    /** It is cut off, or was changed since it was built. */
    | "damaged"
    /** Another version of the engine built it. */
    | "version"
    /** A plugin it uses cannot be loaded. */
    | "plugin"
    /** A plugin has other schemas than it was checked with. */
    | "changed"
    /** A flag that it does not declare, or a value of another type. */
    | "flag"
  readonly message: string
  readonly help?: string | undefined
}> {}

declare const PLANLOOM_VERSION: string

/** Written into bundles by the build; from source it is the manifest's. */
export const engineVersion = (): string =>
  typeof PLANLOOM_VERSION === "string"
    ? PLANLOOM_VERSION
    : (
        JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
          readonly version: string
        }
      ).version

/** Over the JSON of everything but the digest itself; members keep their order when JSON is read and written. */
export const artefactDigest = ({
  digest: _,
  ...rest
}: Omit<Artefact, "digest"> & { digest?: unknown }): string => digestOf(JSON.stringify(rest))

/** Of the schemas of a stage kind that a workflow was checked with; null while they are unknown. */
export const fingerprintOf = (kind: StageKind): string | null =>
  isPromised(kind)
    ? null
    : fingerprint([kind.input, typeof kind.output === "function" ? null : kind.output])

/** Of what expressions may read of a section. */
export const sectionFingerprint = (variables: PluginSection["variables"]): string =>
  fingerprint(variables ?? null)

const fingerprint = (value: object | null): string => digestOf(JSON.stringify(value))
