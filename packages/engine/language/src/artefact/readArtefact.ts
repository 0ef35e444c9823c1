/** Text or JSON → an artefact that this engine can run, or the reason why it is rejected. */
import { schemaProblems, SchemaRejected, type JsonSchema } from "@planloom/schema"
import type { Definition, Stage } from "../definition/Definition.ts"
import { readFileSync } from "../source/FileSystem.ts"
import {
  ARTEFACT_VERSION,
  artefactDigest,
  ArtefactRejected,
  engineVersion,
  type Artefact,
  type ArtefactWorkflow,
} from "./Artefact.ts"

const rejected = (reason: ArtefactRejected["reason"], message: string) =>
  new ArtefactRejected({ reason, message })

/** Throws `ArtefactRejected`. */
export const readArtefactFile = (path: string): Artefact => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    throw rejected("unreadable", `${path} cannot be read: ${(error as Error).message}`)
  }
  return parseArtefact(text, path)
}

/** `at` is what messages call it. Throws `ArtefactRejected`. */
export const parseArtefact = (text: string, at: string): Artefact => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw rejected(
      text.trimStart().startsWith("{") ? "damaged" : "not_an_artefact",
      `${at} is not JSON: ${(error as Error).message}`,
    )
  }
  return readArtefact(value, at)
}

/** Whether a text is meant to be an artefact, in whatever state it is. */
export const looksLikeArtefact = (text: string): boolean =>
  /^\s*\{\s*"apiVersion"\s*:\s*"planloom\/artefact\//.test(text)

/** Throws `ArtefactRejected`. The digest finds accidents; it does not say who built the artefact. */
export const readArtefact = (value: unknown, at: string): Artefact => {
  const { apiVersion, engine } = (value ?? {}) as Partial<Artefact>
  if (typeof apiVersion !== "string" || !apiVersion.startsWith("planloom/artefact/")) {
    throw rejected("not_an_artefact", `${at} is not an artefact; planloom build writes one`)
  }
  if (apiVersion !== ARTEFACT_VERSION) {
    throw rejected(
      "version",
      `${at} is written in ${apiVersion}, and this engine reads ${ARTEFACT_VERSION}; build it again`,
    )
  }
  if (engine !== engineVersion()) {
    throw rejected(
      "version",
      `${at} was built by planloom ${String(engine)}, and this is ${engineVersion()}; build it again`,
    )
  }
  const artefact = value as Artefact
  if (artefactDigest(artefact) !== artefact.digest) {
    throw rejected("damaged", `${at} has changed since it was built; build it again`)
  }
  try {
    checkSchemas(artefact.workflow)
  } catch (error) {
    throw rejected("damaged", `${at} cannot be run: ${(error as Error).message}`)
  }
  return artefact
}

/** Validators are generated from schemas, and `check` has seen only those of files. */
const checkSchemas = ({ catalog, definition, workflows }: ArtefactWorkflow): void => {
  for (const schema of [
    ...schemasOf(definition),
    ...catalog.map(({ params }) => params as JsonSchema),
  ]) {
    const [first] = schemaProblems(schema, { patterns: false })
    if (first !== undefined) throw new SchemaRejected([first])
  }
  for (const inner of Object.values(workflows)) checkSchemas(inner)
}

const schemasOf = ({
  finally: last,
  inputs,
  outputs,
  session,
  stages,
  user,
}: Definition): ReadonlyArray<JsonSchema> => [
  ...Object.values(inputs),
  ...(user === undefined ? [] : [user]),
  ...Object.values(outputs).map(({ schema }) => schema),
  ...Object.values(session?.state ?? {}).map(({ schema }) => schema),
  ...outputsIn(stages),
  ...outputsIn(last),
]

const outputsIn = (stages: ReadonlyArray<Stage>): ReadonlyArray<JsonSchema> =>
  stages.flatMap(({ output, stages: inner }) => [
    ...(output === undefined ? [] : [output]),
    ...outputsIn(inner ?? []),
  ])
