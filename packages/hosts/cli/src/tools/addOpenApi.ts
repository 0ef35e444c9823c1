/** Implements `planloom tools add openapi`: writes the operations of an OpenAPI document as a catalog. */
import { readFile } from "node:fs/promises"
import { basename, extname, relative } from "node:path"
import * as Effect from "effect/Effect"
import { parseDocument, placeText, sourceFile, toYaml, type Document } from "@planloom/language"
import type { Json } from "@planloom/plugin/effect"
import type { Imported, Skipped } from "@planloom/tools-http/openapi"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { writeFileText } from "../project/writeText.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { diffLines } from "../terminal/diffLines.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say, stderr, stdout } from "../terminal/Screen.ts"
import { fetchDocument } from "./fetchDocument.ts"

export interface AddFlags {
  readonly kind: "openapi"
  readonly spec: string
  readonly name: string | undefined
  readonly baseUrl: string | undefined
  readonly include: ReadonlyArray<string>
  readonly untyped: boolean
  readonly out: string | undefined
}

/** Of a file that a workflow can use. */
const MAX_CATALOG_BYTES = 1024 * 1024

export const addOpenApi: Handler<AddFlags> = (flags) =>
  Effect.gen(function* () {
    const { baseUrl, include, spec, untyped } = flags
    if (flags.name !== undefined && !/^[a-z][a-z0-9_]*$/.test(flags.name)) {
      return yield* usage(`--name ${flags.name} is not a name such as petstore`)
    }
    if (baseUrl !== undefined && !/^https?:\/\/[^/]/.test(baseUrl)) {
      return yield* usage(`--base-url ${baseUrl} is not a URL such as https://api.example.com/v1`)
    }
    const url = /^https?:\/\//i.test(spec) ? spec : undefined
    const document = yield* documentOf(spec, url)
    const { ImportRejected, importOpenApi } = yield* Effect.promise(
      () => import("@planloom/tools-http/openapi"),
    )
    const imported = yield* Effect.try({
      try: () =>
        importOpenApi(document.value, {
          name: flags.name ?? nameOf(spec),
          baseUrl,
          url,
          include,
          untyped,
          source: url ?? relative(process.cwd(), spec),
        }),
      catch: (error) => {
        if (!(error instanceof ImportRejected)) throw error
        return problem(`${placeOf(document, error.at)} ${error.message}`)
      },
    })
    const skipped = imported.skipped.map(({ message, path }) => ({
      message,
      start: startOf(document, path),
    }))
    for (const { message, start } of skipped.toSorted((a, b) => a.start.offset - b.start.offset)) {
      say(`${placeText({ file: document.file.path, start })} ${message}`)
    }
    const { all, imported: count } = imported.operations
    if (count === 0) {
      return yield* problem(
        include.length === 0
          ? `${spec} has no operation to import`
          : `${spec} has no operation of ${include.join(", ")}`,
      )
    }
    const path = flags.out ?? `catalog/${imported.name}.yaml`
    return yield* written(path, imported, `${count} of ${plural(all, "operation")}`)
  })

const documentOf = (spec: string, url: string | undefined): Effect.Effect<Document, Refused> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: (signal) => (url === undefined ? readFile(spec, "utf8") : fetchDocument(url, signal)),
      catch: (error) => problem(`${spec} cannot be read: ${(error as Error).message}`),
    })
    const { diagnostics, document } = parseDocument(sourceFile(spec, text))
    for (const one of diagnostics) say(`${placeText(one)} ${one.message}`)
    return document ?? (yield* problem(`${spec} is neither YAML nor JSON`))
  })

const startOf = (document: Document, path: Skipped["path"]) => document.spanOf(path, "key").start

const placeOf = (document: Document, path: Skipped["path"]): string =>
  placeText({ file: document.file.path, start: startOf(document, path) })

/** `specs/petstore.yaml` → `petstore`; undefined for a file name that says nothing, such as `openapi.json`. */
const nameOf = (spec: string): string | undefined => {
  const name = basename(spec.split(/[?#]/, 1)[0]!, extname(spec))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
  return /^[a-z][a-z0-9_]*$/.test(name) &&
    !/^(open_?api|swagger|api_docs|api|spec|index|latest|schema)_?(3|v\d+)?$/.test(name)
    ? name
    : undefined
}

const written = (
  path: string,
  imported: Imported,
  count: string,
): Effect.Effect<ExitName, Refused> =>
  Effect.gen(function* () {
    const text = toYaml(imported.catalog as Json)
    if (Buffer.byteLength(text) > MAX_CATALOG_BYTES) {
      return yield* problem(
        `the catalog of ${count} is larger than 1 MiB, which a workflow cannot use`,
        "import fewer operations with --include, or leave out the schemas of answers with --untyped",
      )
    }
    const before = yield* Effect.promise(() => readFile(path, "utf8").catch(() => undefined))
    if (before === text) {
      say(`${path} is up to date: ${count}`)
      return "ok" as ExitName
    }
    if (before !== undefined && !/^x-openapi:/m.test(before)) {
      return yield* problem(
        `${path} exists and was not written by an import`,
        "choose another name with --name, or another file with --out",
      )
    }
    yield* writeFileText(text, path)
    if (before !== undefined) {
      print(diffLines(before, text, stdout.style).join("\n"))
      say(`updated ${path}: ${count}`)
      return "ok" as ExitName
    }
    say(`wrote ${path}: ${count}`)
    say(stderr.style.dim(nextSteps(path, imported)))
    return "ok" as ExitName
  })

const nextSteps = (path: string, { config, secrets }: Imported): string =>
  [
    "next:",
    `  planloom.yaml  ${config}`,
    `  a workflow     use: { plugins: ["@planloom/stages", "@planloom/tools-http"], files: [../${path}] }`,
    ...(secrets.length === 0 ? [] : [`                 secrets: [${secrets.join(", ")}]`]),
  ].join("\n")
