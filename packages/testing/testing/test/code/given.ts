/** Names that TypeScript blocks of the documentation take from the text around them, declared with their types. */

const workflow = (name: string, inputs: string) => `apiVersion: planloom/v1
kind: Workflow
name: ${name}
use: { plugins: ["@planloom/stages"] }
inputs: { ${inputs} }
stages: [{ id: all, uses: set, with: { value: "\${{ inputs }}" } }]
outputs: { ${name}: "\${{ stages.all.output }}" }
`

/** By page and number of the block. */
export const given: { readonly [block: string]: string } = {
  "docs/embedding.md #5": `import * as Effect from "effect/Effect"
import { run, type Pipeline } from "@planloom/core"
import type { JsonObject } from "@planloom/plugin/effect"
declare const pipeline: Pipeline, inputs: JsonObject, text: string`,
  "docs/models.md #2": `import { loadWorkflow } from "@planloom/embed"
import type { JsonObject, RunStore } from "@planloom/plugin/effect"
import { KeptSwaps } from "@planloom/record/models"
declare const inputs: JsonObject, store: RunStore`,
  "docs/models.md #3": `import * as Effect from "effect/Effect"
import type { EmbeddedWorkflow } from "@planloom/embed"
import type { JsonObject } from "@planloom/plugin/effect"
import { replayCassette } from "@planloom/testing"
declare const inputs: JsonObject, secrets: ReadonlyArray<string>, workflow: EmbeddedWorkflow`,
  "docs/plugins.md #2": `import type { Message, StageContext } from "@planloom/plugin"
declare const context: StageContext, conversation: ReadonlyArray<Message>, messages: typeof conversation
declare const about: Message, output: Parameters<StageContext["model"]["json"]>[1], rules: string`,
  "docs/plugins.md #4": `import * as Schema from "effect/Schema"
import { definePlugin, store } from "@planloom/plugin"
type Files = Omit<Parameters<typeof store>[0], "id" | "summary"> & { readonly close: () => Promise<void> }
declare const openFolder: (root: string, folder: string) => Promise<Files>`,
  "docs/plugins.md #5": `declare const place: Parameters<typeof storeSuite>[2] & Parameters<typeof ownerSuite>[2], journals: Parameters<typeof journalSuite>[2]`,
  "docs/plugins.md #8": `import { definePlugin } from "@planloom/plugin"
import type { ToolList, ToolSource } from "@planloom/plugin/effect"
interface Config { readonly cache: string }
declare const cached: (files: ReadonlyArray<unknown>) => Promise<ToolList>
declare const remoteTools: (files: () => ReadonlyArray<unknown>) => ToolSource`,
  "docs/plugins.md #9": `declare const quotes: ReadonlyArray<{ readonly id: string; readonly owner: string; readonly total: string; readonly to: string }>
declare const pay: (quote: string) => Promise<string>`,
  "docs/plugins.md #10": `declare const params: { readonly path: string }
declare const call: { readonly roots: ReadonlyArray<string>; readonly workspace: string }`,
  "docs/plugins.md #11": `declare const greet: Parameters<typeof stageKindSuite>[1], sign: Parameters<typeof hookSuite>[1]`,
  "docs/prompts.md #1": `import type { Message, StageContext } from "@planloom/plugin/effect"
declare const context: StageContext, messages: ReadonlyArray<Message>, hop: number`,
  "docs/prompts.md #2": `import { run, type Pipeline } from "@planloom/core"
import type { JsonObject, RunStore } from "@planloom/plugin/effect"
declare const store: RunStore, pipeline: Pipeline, inputs: JsonObject, text: string, sha256OfTheFile: string`,
  "docs/serve.md #2": `import * as Effect from "effect/Effect"
import { worker, type WorkerOptions } from "@planloom/record/worker"
import { openStore } from "@planloom/store-sqlite"
declare const loadWorkflow: WorkerOptions<never>["load"]`,
  "docs/serve.md #3": `import { handler, type ApiOptions } from "@planloom/server"
declare const store: ApiOptions["store"], running: NonNullable<ApiOptions["worker"]>, workflows: NonNullable<ApiOptions["workflows"]>
declare const sessions: { readonly userOf: (cookie: string | null) => Promise<{ readonly id: string } | undefined> }`,
  "docs/shadow.md #1": `declare const toneCheck: Parameters<typeof faultSuite>[1]`,
  "docs/streaming.md #1": `import type { EmbeddedWorkflow } from "@planloom/embed"
declare const workflow: EmbeddedWorkflow`,
  "docs/telemetry.md #1": `import type { EmbeddedWorkflow } from "@planloom/embed"
declare const workflow: EmbeddedWorkflow, question: string`,
  "packages/domains/analyst/README.md #1": `type Adapted = Parameters<typeof adaptPlan>[0]
declare const profile: Adapted["profile"], templates: Adapted["templates"], tools: Adapted["tools"]`,
  "packages/engine/planning/README.md #1": `type Adapted = Parameters<typeof adaptTemplate>[0]
declare const templates: Adapted["templates"], tools: Adapted["tools"]`,
  "packages/providers/provider-effect/README.md #1": `declare const model: Parameters<typeof fromLanguageModel>[1]`,
  "packages/providers/provider-effect/README.md #2": `import * as Effect from "effect/Effect"
import * as LanguageModel from "effect/ai/LanguageModel"
import type { Provider } from "@planloom/plugin/effect"
declare const provider: Provider`,
  "packages/providers/provider-kit/README.md #1": `declare const key: string, params: object
declare class AcmeClient { constructor(options: object); ask(params: object, options: object): Promise<string> }`,
  "packages/engine/salvage/README.md #2": `import { stream } from "@planloom/salvage"
declare const plan: { readonly type: "object" }, model: AsyncIterable<string>`,
  "packages/components/stage-kit/README.md #1": `import type { Message, StageContext } from "@planloom/plugin/effect"
declare const ask: Parameters<typeof withSummary>[0], context: StageContext, task: Message
type Narrowed = { readonly tools: ReadonlyArray<string> }`,
  "packages/testing/testing/README.md #2": `import assert from "node:assert/strict"
declare const greet: Parameters<typeof stageKindSuite>[1]`,
}

/** Files that blocks read. */
export const besides: { readonly [path: string]: string } = {
  "greeting.types.ts": `export interface Greeting {
  readonly inputs: { readonly names: ReadonlyArray<string> }
  readonly outputs: { readonly greeting: string }
}
`,
  "host.js": "export {}\n",
  "host.d.ts": "export {}\n",
  "workflows/greeting.yaml": workflow(
    "greeting",
    "names: { type: array, items: { type: string } }",
  ),
  "workflows/report.yaml": workflow("report", "topic: { type: string, default: tea }"),
  "workflows/support.yaml": workflow("support", "question: { type: string }"),
}

/** Blocks that are only checked, each with the reason. */
export const notRun: { readonly [block: string]: string } = {
  "docs/embedding.md #3": "an artefact of the reader",
  "docs/plugins.md #5": "tests of the reader's store",
  "docs/plugins.md #11": "tests of the reader's components",
  "docs/shadow.md #1": "tests of the reader's subagent",
  "packages/engine/record/README.md #1": "resumes a run of the reader",
  "packages/testing/testing/README.md #1": "checks a file of the reader",
  "packages/testing/testing/README.md #2": "tests of the reader's components",
}
