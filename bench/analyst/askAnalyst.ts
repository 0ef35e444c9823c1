/** Asks the data analyst, and says how it answered. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadWorkflow } from "@planloom/embed"
import type { LoadOptions } from "@planloom/language"
import type { JsonObject, Plugin } from "@planloom/plugin/effect"
import provider from "@planloom/provider-openai"
import type { AnswerTable } from "./sameTable.ts"

export type Reply =
  | {
      readonly type: "answered"
      readonly text: string
      readonly table: AnswerTable | null
      /** Everything a reader finds beside the numbers: notes, caveats, what was not answered. */
      readonly notes: ReadonlyArray<string>
      /** The requirements that a step of its plan fulfils. */
      readonly covered: ReadonlyArray<string>
    }
  | { readonly type: "asked" | "failed"; readonly text: string }

interface Failed {
  readonly message: string
  readonly reason: { readonly class: string; readonly stage?: string }
}

/** A run that ends while the question is read, or with a question, has refused or asked. */
const declined = ({ reason }: Failed) =>
  reason.class === "clarification" || ["requirements", "plan"].includes(reason.stage ?? "")

/** What the profile says of the file belongs to no answer. */
const textsIn = (stages: { readonly [stage: string]: { readonly output?: unknown } }) =>
  Object.entries(stages).flatMap(([stage, { output }]) => {
    if (stage === "profile") return []
    const { caveats = [], notes = [] } = (output ?? {}) as {
      caveats?: ReadonlyArray<unknown>
      notes?: ReadonlyArray<unknown>
    }
    return [...notes, ...caveats].map((one) =>
      typeof one === "string" ? one : JSON.stringify(one),
    )
  })

const path = join(import.meta.dirname, "../../workflows/data_analyst.yaml")

/** Every stage asks the model at this address first. */
const asking = (url: string): Pick<LoadOptions, "extraPlugins" | "set"> => {
  const config = { servers: { local: { base_url: url } } }
  return {
    extraPlugins: [{ ...provider, setup: (_, host) => provider.setup!(config, host) } as Plugin],
    set: [
      { path: "models", value: { reader: { try: ["local/scripted"], otherwise: "mechanical" } } },
      { path: "defaults", value: { model: "reader" } },
    ],
  }
}

/** With the address of a model, or without one. */
const coveredIn = (stages: { readonly [stage: string]: { readonly output?: unknown } }) => {
  const { matrix = {} } = (stages["coverage"]?.output ?? {}) as {
    readonly matrix?: { readonly [requirement: string]: ReadonlyArray<string> }
  }
  return Object.entries(matrix).flatMap(([id, steps]) => (steps.length > 0 ? [id] : []))
}

export const openAnalyst = async (folder: string, model?: string) => {
  const workspace = mkdtempSync(join(tmpdir(), "questions-"))
  const workflow = await loadWorkflow<{
    readonly inputs: { readonly question: string; readonly data: string }
    readonly outputs: { readonly answer: string; readonly table: (JsonObject & AnswerTable) | null }
  }>(path, { roots: [folder], ...(model === undefined ? {} : asking(model)) })
  return {
    ask: async (question: string, data: string): Promise<Reply> => {
      try {
        const { outputs, stages } = await workflow.run({ question, data }, { workspace })
        const { answer, table } = outputs as { answer: string; table: AnswerTable | null }
        const unanswered = answer.split("\n").filter((line) => line.startsWith("Not answered"))
        const notes = [...new Set([...textsIn(stages), ...unanswered])]
        return { type: "answered", text: answer, table, notes, covered: coveredIn(stages) }
      } catch (error) {
        const failed = error as Failed
        if (!("reason" in failed)) throw error
        return { type: declined(failed) ? "asked" : "failed", text: failed.message }
      }
    },
    close: async () => {
      await workflow.close()
      rmSync(workspace, { recursive: true, force: true })
    },
  }
}
