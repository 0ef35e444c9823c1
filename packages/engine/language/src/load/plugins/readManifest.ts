/** Reads the manifest of a plugin's module from its package, as data: none of the plugin's code runs. */
import { readFile, realpath } from "node:fs/promises"
import { findPackageJSON } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import {
  API_VERSION,
  componentKinds,
  type JsonSchema,
  type Manifest,
} from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { importTarget } from "../../source/loadModule.ts"
import { schemaFault } from "./schemaFault.ts"

/** Undefined when the package has none, or when the module is not the package's main one. */
export const readManifest = async (
  file: string,
): Promise<Manifest | { readonly reason: string } | undefined> => {
  const path = findPackageJSON(pathToFileURL(file))
  if (path === undefined) return undefined
  const text = await readFile(path, "utf8").catch(() => undefined)
  if (text === undefined) return undefined
  let described: unknown
  try {
    described = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(described) || described["planloom"] === undefined) return undefined
  const { exports, main, planloom } = described
  const entry = importTarget(exports) ?? (typeof main === "string" ? main : "index.js")
  const real = await realpath(join(dirname(path), entry)).catch(() => undefined)
  return real === file ? checkedManifest(planloom) : undefined
}

/** Manifests that say what plugins contribute; those that cannot be used give their reason. */
export const checkedManifest = (given: unknown): Manifest | { readonly reason: string } => {
  if (isObject(given) && given["api"] !== API_VERSION) {
    return {
      reason: `its manifest is made for version ${JSON.stringify(given["api"])} of the plugin contract; this engine speaks version ${API_VERSION}`,
    }
  }
  const [issue] = validatorOf(manifestSchema)(given as never)
  if (issue !== undefined) {
    return { reason: `its manifest does not fit: ${issue.path || "planloom"} ${issue.message}` }
  }
  const manifest = given as unknown as Manifest
  for (const [name, schema] of schemasOf(manifest)) {
    const problem = schemaFault(schema)
    if (problem !== undefined) {
      return { reason: `the schema of ${name} in its manifest cannot be used: ${problem.message}` }
    }
  }
  return manifest
}

const schemasOf = ({ contributes }: Manifest): ReadonlyArray<readonly [string, JsonSchema]> => [
  ...(contributes.events ?? []).map(({ name, schema }) => [`"${name}"`, schema] as const),
  ...(contributes.fileKinds ?? []).map(({ kind, schema }) => [kind, schema] as const),
  ...Object.values(contributes.sections ?? {}).flatMap((sections) =>
    Object.entries(sections).map(([key, { schema }]) => [`"${key}"`, schema] as const),
  ),
  ...Object.entries(contributes.components?.stages ?? {}).flatMap(([id, { input, output }]) =>
    [input ?? true, output ?? true].map((schema) => [`"${id}"`, schema] as const),
  ),
]

const schema = { type: ["object", "boolean"] }
const text = { type: "string" }

/** What other versions may add is ignored, so that a package can be made for several. */
const manifestSchema: JsonSchema = {
  type: "object",
  required: ["api", "contributes"],
  properties: {
    contributes: {
      type: "object",
      properties: {
        fileKinds: {
          type: "array",
          items: {
            type: "object",
            required: ["kind", "summary", "schema"],
            properties: { kind: text, summary: text, schema },
          },
        },
        sections: {
          type: "object",
          properties: Object.fromEntries(
            ["workflow", "stage", "project"].map((on) => [
              on,
              {
                type: "object",
                additionalProperties: {
                  type: "object",
                  required: ["summary", "schema"],
                  properties: { summary: text, schema },
                },
              },
            ]),
          ),
          additionalProperties: false,
        },
        events: {
          type: "array",
          items: {
            type: "object",
            required: ["name", "summary", "schema", "audience"],
            properties: {
              name: text,
              summary: text,
              schema,
              audience: { enum: ["user", "operator"] },
            },
          },
        },
        components: {
          type: "object",
          properties: Object.fromEntries(
            componentKinds.map((kind) => [
              kind,
              {
                type: "object",
                additionalProperties: {
                  type: "object",
                  properties: { summary: text, input: schema, output: schema },
                },
              },
            ]),
          ),
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
}
