/** Projects in which the commands of pages run, and which test runs the others. */

export interface CommandPage {
  readonly files: { readonly [path: string]: string }
  /** Run before the first command. */
  readonly first?: ReadonlyArray<string>
  /** Commands whose newest run is the `3f2a` of a line; the last pattern that matches counts. */
  readonly runs?: ReadonlyArray<readonly [line: RegExp, ...commands: ReadonlyArray<string>]>
  /** Exit codes other than 0. */
  readonly codes?: ReadonlyArray<readonly [line: RegExp, code: number]>
  /** Whether a server runs meanwhile, to whose port curl is sent. */
  readonly serves?: ReadonlyArray<string>
  readonly input?: ReadonlyArray<readonly [line: RegExp, text: string]>
}

const workflow = (name: string, body: string) =>
  `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\nuse: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }\nsecrets: [OPENAI_API_KEY]\n${body}`

const letter = workflow(
  "letter",
  "stages: [{ id: sign_off, uses: approve, with: { message: Send it? } }]\n",
)
const report = workflow(
  "report",
  `inputs: { topic: { type: string, default: tea } }
prompts: { base: ../base.md }
models: { writer: { try: [openai/gpt-4.1-mini] } }
stages:
  - { id: draft, uses: generate, model: writer, prompt: base, with: { task: "Write about \${{ inputs.topic }}." } }
  - { id: sign_off, uses: approve, with: { message: Send it? } }
outputs: { text: "\${{ stages.draft.output.text }}" }
`,
)
const plain = (name: string, inputs: string) =>
  workflow(
    name,
    `inputs: { ${inputs} }\nmodels: { writer: { try: [openai/gpt-4.1-mini], otherwise: mechanical } }\nstages: [{ id: answer, uses: generate, model: writer, with: { task: Answer kindly., context: "\${{ inputs }}" } }]\noutputs: { reply: "\${{ stages.answer.output.text }}" }\n`,
  )

export const commandPages: { readonly [page: string]: CommandPage } = {
  "docs/runs.md": {
    files: {
      "workflows/letter.yaml": letter,
      "workflows/qa.yaml": plain("qa", "tone: { type: string, default: calm }"),
      "workflows/fails.yaml": workflow(
        "fails",
        'stages: [{ id: a, uses: set, assert: ["false"], with: { value: 1 } }]\n',
      ),
      "workflows/personal.yaml": workflow(
        "personal",
        'inputs: { email: { type: string, personal: true } }\nstages:\n  - { id: sign_off, uses: approve, with: { message: Send it? } }\n  - { id: noted, uses: set, with: { value: "${{ inputs.email }}" } }\n',
      ),
      "workflows/fields.yaml": workflow(
        "fields",
        "stages: [{ id: ask, uses: approve, with: { message: Send it?, schema: { type: object, required: [send, copies], properties: { send: { type: boolean }, copies: { type: integer } } } } }]\n",
      ),
    },
    first: ["planloom run qa"],
    runs: [
      [/./, "planloom run qa"],
      [/cancel|answer|show 3f2a\s+#? ?its open|resume/, "planloom run letter"],
      [/runs resume 3f2a$/, "planloom run letter", "planloom runs cancel 3f2a"],
      [
        /resume .*email/,
        "planloom run personal --input email=ann@example.org",
        "planloom runs cancel 3f2a --input email=ann@example.org",
      ],
      [/reset/, "planloom run fails"],
      [/fork/, "planloom run qa"],
      [/--field/, "planloom run fields"],
    ],
    codes: [
      [/runs resume/, 4],
      [/runs reset/, 3],
    ],
  },
  "docs/models.md": {
    files: {
      "workflows/report.yaml": report,
      "workflows/plan.yaml": plain("plan", "request: { type: string }"),
      "base.md": "Be brief.\n",
      "inputs.json": '{ "request": "tea" }',
    },
    first: ["planloom run report"],
    codes: [[/^planloom run report/, 4]],
  },
  "docs/prompts.md": {
    files: {
      "workflows/report.yaml": report,
      "base.md": "Be brief.\n",
      "1.md": "One.\n",
      "2.md": "Two.\n",
      "3.md": "Three.\n",
    },
    first: ["1.md", "2.md", "3.md"].map(
      (file) => `planloom prompts edit report base --from ${file}`,
    ),
    serves: ["serve"],
  },
  "docs/serve.md": {
    files: { "workflows/report.yaml": report, "base.md": "Be brief.\n" },
    serves: ["serve"],
  },
  "docs/sessions.md": {
    files: {
      "workflows/assistant.yaml": `${plain("assistant", "message: { type: string }")}session: { request: "\${{ inputs.message }}", assistant: "\${{ stages.answer.output.text }}" }\n`,
    },
    input: [[/^planloom chat/, "hello\n"]],
  },
  "docs/dev.md": {
    files: {
      "workflows/triage.yaml": plain("triage", "message: { type: string }"),
      "case.json": '{ "message": "I want my money back" }',
    },
  },
  "docs/workflows.md": {
    files: {
      "workflows/with_modes.yaml": workflow(
        "with_modes",
        `prompts: { identity: ../base.md, planner: ../base.md }
modes: { full: { sections: [identity, task] }, minimal: { sections: [task] } }
inputs: { question: { type: string } }
models: { m: { try: [openai/gpt-4.1-mini] } }
stages: [{ id: answer, uses: generate, model: m, prompt: { use: planner, mode: full }, with: { task: "\${{ inputs.question }}" } }]
`,
      ),
      "workflows/report.yaml": workflow(
        "report",
        `inputs: { to: { type: string } }
models: { m: { try: [openai/gpt-4.1-mini] } }
stages:
  - { id: found, uses: generate, model: m, with: { task: Find a poem. } }
  - { id: write, uses: generate, model: m, with: { task: "To \${{ inputs.to }}: \${{ stages.found.output.text }}" } }
`,
      ),
      "workflows/draft.yaml": plain("draft", "tone: { type: string }"),
      "base.md": "Be brief.\n",
    },
  },
  "docs/experiments.md": {
    files: {
      "workflows/conversation.yaml": workflow(
        "conversation",
        `experiments: { tone: { unit: run, variants: { calm: 50, warm: 50 }, outcome: outputs.accepted } }
stages: [{ id: a, uses: set, with: { value: "\${{ experiments.tone == 'warm' }}" } }]
outputs: { accepted: { type: boolean, value: "\${{ stages.a.output }}" } }
`,
      ).replace("use: { plugins: [", 'use: { plugins: ["@planloom/hooks", '),
    },
    first: ["planloom run conversation"],
  },
  "docs/telemetry.md": {
    files: { "workflows/report.yaml": plain("report", "topic: { type: string, default: tea }") },
    serves: ["serve", "--metrics"],
  },
  "docs/evaluations.md": {
    files: {
      "workflows/shop.yaml": plain("shop", "message: { type: string }"),
      "workflows/shop.eval.yaml": `apiVersion: planloom/v1
kind: Evaluation
workflow: shop.yaml
variants: { careful: { set: { stages.answer.with.task: Answer with care. } } }
cases: [{ name: refund, inputs: { message: My money back. } }, { name: thanks, inputs: { message: Thanks. } }]
`,
    },
  },
}

/** Commands that are not run here: where they are run, or why they are not. */
export const runElsewhere: ReadonlyArray<readonly [page: RegExp, line: RegExp, where: string]> = [
  [
    /^README\.md$/,
    /^(npx -y pnpm@12 demo|planloom (run|check|dev) )/,
    "packages/testing/testing/test/generated.test.ts",
  ],
  [/^README\.md$/, /^npx -y pnpm@12 test$/, "is the run of all tests"],
  [
    /./,
    /^(npm (create|install|uninstall)|npx planloom) /,
    "packages/hosts/cli/test/created.prove.ts",
  ],
  [/conference_guide/, /./, "packages/hosts/cli/test/conferenceGuide.prove.ts"],
  [/market_scout/, /./, "packages/hosts/cli/test/marketScout.prove.ts"],
  [
    /remittance_concierge|examples\/concierge/,
    /./,
    "packages/testing/testing/test/conciergeWalkThrough.test.ts",
  ],
  [/device_assistant|examples\/device/, /^planloom /, "packages/hosts/cli/test/examples.test.ts"],
  [/device_assistant/, /^ollama /, "downloads a model"],
  [/evaluations/, /device_assistant|calibrate/, "packages/hosts/cli/test/eval.test.ts"],
  [/http\.md/, /./, "packages/hosts/cli/test/toolsAdd.test.ts"],
  [/indexes/, /^node bench/, "asks a server with a model; `prove` runs the questions without one"],
  [/mcp\.md/, /^planloom mcp (import)/, "packages/hosts/cli/test/mcpImport.test.ts"],
  [/mcp\.md/, /^planloom mcp (login|logout)/, "packages/hosts/cli/test/mcpLogin.test.ts"],
  [/mcp\.md/, /^planloom mcp serve/, "packages/hosts/cli/test/mcp.test.ts"],
  [/shadow/, /^planloom review/, "packages/hosts/cli/test/review.test.ts"],
  [/telemetry/, /^docker/, "downloads an image"],
  [/telemetry/, /telemetry\.otlp/, "packages/hosts/cli/test/telemetry.test.ts"],
  [
    /prompts\.md/,
    /prompts edit/,
    "opens an editor: packages/hosts/cli/test/promptVersions.test.ts",
  ],
  [/runs\.md/, /--as-example|runs sample|clarification/, "packages/hosts/cli/test/flags.prove.ts"],
  [/serve\.md|telemetry/, /planloom serve/, "packages/hosts/cli/test/serve.test.ts"],
  [/sessions\.md/, /chat assistant --session test/, "packages/hosts/cli/test/chat.test.ts"],
  [/dev\.md/, /"I want my money back"$/, "packages/hosts/cli/test/tutorials.test.ts"],
  [/market_loop|guide_loop/, /./, "packages/hosts/cli/test/exampleLoops.test.ts"],
  [/examples\/market\//, /serve\.ts/, "packages/hosts/cli/test/marketScout.prove.ts"],
  [
    /packages\/providers\/provider-/,
    /./,
    "needs a key or a model of the reader; docs/how-to/use_ollama.md is run",
  ],
  [/retrieval-faiss/, /^(bash|export)/, "builds a native library"],
  [
    /tools-files/,
    /^planloom run find/,
    "packages/components/tools-files/README.md is of a folder of the reader",
  ],
]
