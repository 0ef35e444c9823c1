/** Checks and runs workflows that a test writes out, with the built-in stage kinds. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { run, type RunOptions } from "@planloom/core"
import { check, load } from "@planloom/embed"
import { typesOf } from "@planloom/language"
import type { JsonObject } from "@planloom/plugin/effect"
import stages from "@planloom/stages"

const options = { extraPlugins: [stages] }

/** Writes the workflow with this body, from `inputs:` on, and returns its path. */
export const writeWorkflow = (body: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), "planloom-inline-")), "w.yaml")
  writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: inline\n${body}`)
  return path
}

/** Diagnostics as `PL1201 message`. */
export const problemsOf = (body: string) =>
  Effect.map(check(writeWorkflow(body), options), ({ diagnostics }) =>
    diagnostics.map(({ code, message }) => `${code} ${message}`),
  )

export const typesOfOutputs = (body: string) =>
  Effect.map(check(writeWorkflow(body), options), ({ workflow }) =>
    typesOf(workflow!.definition, workflow!.resources),
  )

export const loadInline = (body: string) => load(writeWorkflow(body), options)

export const runInline = (body: string, inputs: JsonObject, runOptions: RunOptions = {}) =>
  Effect.scoped(
    Effect.flatMap(loadInline(body), ({ pipeline }) => run(pipeline, inputs, runOptions)),
  )
