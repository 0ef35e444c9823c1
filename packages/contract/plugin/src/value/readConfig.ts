/** Decodes a plugin's config by its schema into a value or issues with paths. */
import type { Codec } from "effect/Schema"
import type { Issue } from "effect/SchemaIssue"
import type { JsonObject } from "./Json.ts"

/** A config schema that is imported with the first config that it decodes: `effect/Schema` doubles the start of a host. */
export interface LateConfig<Config> {
  readonly schema: () => Promise<Codec<Config, any>>
  /** What the schema decodes an empty config to, which then does not load it. Absent if it rejects one. */
  readonly unset?: Config
}

export type ConfigRead =
  | { readonly value: unknown }
  | {
      readonly issues: ReadonlyArray<{
        readonly path: ReadonlyArray<string | number>
        readonly message: string
        /** Keys that the schema knows, where the path ends in another one. */
        readonly known?: ReadonlyArray<string>
      }>
    }

/**
 * Bundled into the plugin, because a schema works only with the copy of Effect that created it, and a bundled host has
 * a separate copy. Loads the schema module on first use.
 */
export const configReader =
  (config: Codec<unknown, any> | LateConfig<unknown>) =>
  async (given: JsonObject): Promise<ConfigRead> => {
    const isLate = "schema" in config && typeof config.schema === "function"
    if (isLate && "unset" in config && Object.keys(given).length === 0) {
      return { value: config.unset }
    }
    const [codec, Schema, SchemaIssue, Result] = await Promise.all([
      isLate ? config.schema() : (config as Codec<unknown, any>),
      import("effect/Schema"),
      import("effect/SchemaIssue"),
      import("effect/Result"),
    ])
    const decoded = Schema.decodeUnknownResult(codec, {
      errors: "all",
      onExcessProperty: "error",
    })(given)
    if (Result.isSuccess(decoded)) return { value: decoded.success }
    const { issue } = decoded.failure
    const unexpected = knownKeys(issue)
    const format = SchemaIssue.makeFormatterStandardSchemaV1()
    return {
      issues: format(issue).issues.map(({ message, path = [] }) => {
        const plain = path.map((segment) =>
          typeof segment === "object" ? String(segment.key) : (segment as string | number),
        )
        const known = unexpected.get(plain.join("\0"))
        return known === undefined
          ? { message, path: plain }
          : { message: "unknown key", path: plain, known }
      }),
    }
  }

/** Keys of the mappings that have an unexpected one, by the path of that. */
const knownKeys = (
  issue: Issue,
  path: ReadonlyArray<PropertyKey> = [],
  found = new Map<string, ReadonlyArray<string>>(),
): ReadonlyMap<string, ReadonlyArray<string>> => {
  if (issue._tag === "UnexpectedKey") {
    const { propertySignatures = [] } = issue.ast as {
      readonly propertySignatures?: ReadonlyArray<{ readonly name: PropertyKey }>
    }
    found.set(
      path.join("\0"),
      propertySignatures.map(({ name }) => String(name)),
    )
  }
  const at = issue._tag === "Pointer" ? [...path, ...issue.path] : path
  if ("issue" in issue) knownKeys(issue.issue, at, found)
  if ("issues" in issue) for (const inner of issue.issues) knownKeys(inner, at, found)
  return found
}
