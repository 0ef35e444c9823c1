/** Decodes a plugin's config by its schema into a value or issues with paths. */
import type { Codec } from "effect/Schema"
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
    const format = SchemaIssue.makeFormatterStandardSchemaV1()
    return {
      issues: format(decoded.failure.issue).issues.map(({ message, path = [] }) => ({
        message,
        path: path.map((segment) =>
          typeof segment === "object" ? String(segment.key) : (segment as string | number),
        ),
      })),
    }
  }
