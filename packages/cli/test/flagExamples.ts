/** An example of every flag: a command line, and what the flag adds to it. */

export interface FlagExample {
  /** The flag as it is typed, with its command unless it belongs to all of them. */
  readonly flag: string
  readonly base: ReadonlyArray<string>
  readonly with: ReadonlyArray<string>
  /** Standard input. */
  readonly input?: string
  /** In a project without recorded runs. */
  readonly isFresh?: true
  /** A command whose output is observed, too. */
  readonly after?: ReadonlyArray<string>
}

const rows = (
  base: string,
  flags: { readonly [flag: string]: string | undefined },
  more: Pick<FlagExample, "input" | "isFresh" | "after"> = {},
): ReadonlyArray<FlagExample> => {
  const command = base
    .split(" ", /^(experiments|keys|mcp|prompts|runs|sessions|tools|users) /.test(base) ? 2 : 1)
    .join(" ")
  return Object.entries(flags).map(([flag, value]) => ({
    flag: `${command} --${flag}`,
    base: base.split(" "),
    with: value === undefined ? [`--${flag}`] : [`--${flag}`, value],
    ...more,
  }))
}

/** They change how the workflow is read, here so that it cannot be. */
const reading = { set: "stages.said.uses=gone", env: "broken", flag: "loud=perhaps" }
const user = '{"id":"ada"}'
const inputs = { input: "message=bye", inputs: "bye.json", user }
/** Of a run that needs none of them again: they are refused. */
const superfluous = { input: "message=bye", inputs: "bye.json" }
const chat = { input: "good morning\n" }
const yes = undefined

export const flagExamples: ReadonlyArray<FlagExample> = [
  { flag: "--debug", base: ["check", "workflows/broken.yaml"], with: ["--debug"] },
  { flag: "--trust", base: ["check", "stranger/workflow.yaml"], with: ["--trust"] },
  { flag: "--no-plugins", base: ["check", "workflows/flow.yaml"], with: ["--no-plugins"] },
  ...rows("init new --no-install", { template: "prompt", provider: "openai" }),
  ...rows("check workflows/flow.yaml", { format: "json", "max-warnings": "0", ...reading }),
  ...rows("fmt workflows/flow.yaml", { check: yes }),
  ...rows("explain PL0101", { json: yes }),
  ...rows("schema", { out: "schemas" }),
  ...rows("types flow", { out: "types.ts", ...reading }),
  ...rows("build flow", { out: "built", ...reading }),
  ...rows("plan flow", {
    input: "mesage=bye",
    inputs: "wrong.json",
    user: '{"id":1}',
    json: yes,
    ...reading,
  }),
  ...rows("run flow", {
    ...inputs,
    out: "outputs",
    json: yes,
    record: "calls",
    session: "talk",
    ...reading,
  }),
  ...rows("run flow", { "no-store": yes }, { isFresh: true }),
  ...rows("run flow -i how=lock", { yes }),
  ...rows("run flow -i how=think", { quiet: yes, replay: "recorded" }),
  ...rows("dev flow --once", { ...inputs, json: yes, ...reading }),
  ...rows(
    "chat flow",
    {
      session: "talk",
      continue: yes,
      input: "other=bye",
      inputs: "other.json",
      user,
      "message-input": "other",
      json: yes,
      record: "calls",
      replay: "recorded",
      ...reading,
    },
    chat,
  ),
  ...rows("chat flow", { "no-store": yes }, { ...chat, isFresh: true }),
  ...rows("chat flow -i how=lock", { yes }, chat),
  ...rows("runs list", {
    status: "failed",
    workflow: "other",
    since: "2090-01-01",
    before: "2000-01-01",
    "failed-with": "rate_limit",
    session: "talk",
    limit: "1",
    json: yes,
  }),
  ...rows("runs show succeeded", { json: yes }),
  ...rows("runs events succeeded", { from: "3" }),
  ...rows("runs watch succeeded", { json: yes }),
  ...rows("runs watch succeeded --json", { from: "3" }),
  ...rows("runs cancel waiting", { json: yes, ...superfluous }),
  ...rows("runs cancel waiting", { reason: "late" }, { after: ["runs", "events", "waiting"] }),
  ...rows("runs cancel theirs", { user }),
  ...rows("runs resume theirs", { user }),
  ...rows("runs resume answered", {
    ...superfluous,
    out: "outputs",
    json: yes,
    quiet: yes,
  }),
  ...rows("runs resume waiting", { yes }),
  ...rows("runs answer waiting", {
    value: '{"approved":true}',
    yes,
    no: yes,
  }),
  ...rows("runs answer waiting --yes", {
    name: "gone",
    "no-resume": yes,
    ...superfluous,
    out: "outputs",
    json: yes,
    quiet: yes,
  }),
  ...rows(
    "runs answer waiting --yes --no-resume",
    { comment: "fine", by: "ada" },
    { after: ["runs", "export", "waiting"] },
  ),
  ...rows("runs answer theirs --yes", { user }),
  ...rows("runs reset succeeded", { from: "said" }),
  ...rows("runs reset succeeded --from said", {
    ...inputs,
    out: "outputs",
    json: yes,
    quiet: yes,
  }),
  ...rows("runs reset waiting --from lock", { yes }),
  ...rows("runs fork succeeded", { from: "said" }),
  ...rows("runs fork succeeded --from said", {
    ...inputs,
    set: "stages.said.with.value=new",
    out: "outputs",
    json: yes,
    quiet: yes,
  }),
  ...rows("runs fork waiting --from lock", { yes }),
  ...rows("runs replay changed", { definition: "current", ...superfluous, json: yes }),
  ...rows("runs replay owned", { user: '{"id":1}' }),
  ...rows("runs migrate changed", { apply: yes, json: yes }),
  ...rows("runs export succeeded", { out: "run.json", redact: yes }),
  ...rows("runs import run.json", { json: yes }),
  ...rows("runs prune --keep 9", { "older-than": "0s", json: yes }),
  ...rows("runs prune --older-than 9w", { keep: "1" }),
  ...rows("sessions list", { limit: "1", json: yes }),
  ...rows("sessions show talk", { json: yes }),
  ...rows("sessions clear talk", { json: yes }),
  ...rows("prompt letters", { stage: "thought" }),
  ...rows("prompt letters --stage thought", { mode: "short", diff: yes, json: yes, ...reading }),
  ...rows("prompt flow --stage thought", {
    input: "mesage=bye",
    inputs: "wrong.json",
    user: '{"id":1}',
    output: "gone=1",
  }),
  ...rows("prompts list letters", { json: yes, ...reading }),
  ...rows("prompts show letters base", { version: "file", json: yes, ...reading }),
  ...rows("prompts history letters base", { json: yes, ...reading }),
  ...rows("prompts diff letters base", { from: "1", to: "file", ...reading }),
  ...rows("prompts edit letters base", { from: "draft.md" }),
  ...rows(
    "prompts edit letters base --from draft.md",
    { by: "ada", why: "shorter", json: yes, ...reading },
    { after: ["prompts", "history", "letters", "base", "--json"] },
  ),
  ...rows(
    "prompts use letters base file",
    { by: "ada", why: "shorter", json: yes, ...reading },
    { after: ["prompts", "list", "letters", "--json"] },
  ),
  ...rows("test tests", {
    filter: "second",
    update: yes,
    record: "calls",
    replay: "recorded",
    metrics: yes,
    baseline: "baseline.json",
    reporter: "json",
    ...reading,
  }),
  ...rows("test flow --examples", { user: '{"id":"ada"}' }),
  ...rows("test flow", { examples: yes }),
  ...rows("eval flow.eval.yaml", {
    filter: "second",
    variant: "loud",
    repeat: "2",
    concurrency: "0",
    record: "calls",
    replay: "recorded",
    "max-cost": "0",
    baseline: "figures.json",
    update: yes,
    limit: "0",
    reporter: "json",
    json: yes,
    out: "report.json",
    ...reading,
  }),
  ...rows("list stages flow", { json: yes, ...reading }),
  ...rows("experiments list flow", { json: yes, ...reading }),
  ...rows("experiments report flow", { json: yes, ...reading }),
  ...rows("users forget ada", { json: yes }),
  ...rows("tools search lock flow", { limit: "1", json: yes, ...reading }),
  ...rows("tools list flow", { json: yes, ...reading }),
  ...rows("tools docs lock_door flow", { json: yes, ...reading }),
  ...rows("graph flow", { format: "json", out: "graph.txt", ...reading }),
  ...rows("keys create job", { json: yes }),
  ...rows("keys create job", { scope: "admin", expires: "90d" }, { after: ["keys", "list"] }),
  ...rows("keys list", { json: yes }),
  ...rows("doctor", { json: yes }),
  ...rows("serve flow --port BUSY", reading),
  ...rows("mcp serve flow", { project: "stranger", ...reading }),
]

/** Flags that need a process, a terminal or a server of their own, by the test in which they act. */
export const shownElsewhere: { readonly [flag: string]: string } = {
  "serve --port": "serve.test.ts",
  "serve --host": "serve.test.ts",
  "serve --concurrency": "serve.test.ts",
  "serve --attempts": "serve.test.ts",
  "serve --max-waiting": "serveLimits.test.ts",
  "serve --every": "serve.test.ts",
  "serve --log": "serve.test.ts",
  "serve --watch": "serve.test.ts",
  "serve --rate": "keys.test.ts",
  "serve --drain": "signals.test.ts",
  "serve --watchdog": "poisoned.test.ts",
  "mcp serve --concurrency": "mcp.test.ts",
  "mcp serve --drain": "mcp.test.ts",
  "mcp serve --log": "mcp.test.ts",
  "mcp import --out": "mcpImport.test.ts",
  "mcp list --from": "mcpServers.test.ts",
  "mcp list --json": "mcpServers.test.ts",
  "mcp tools --from": "mcpServers.test.ts",
  "mcp tools --json": "mcpServers.test.ts",
  "mcp call --params": "mcpServers.test.ts",
  "mcp call --from": "mcpServers.test.ts",
  "mcp approve --from": "mcpServers.test.ts",
  "mcp approve --yes": "mcpServers.test.ts",
  "mcp approve --json": "mcpServers.test.ts",
  "dev --once": "dev.test.ts",
  "dev --allow-writes": "dev.test.ts",
  "list --order": "hooks.test.ts",
  "new hook --dir": "new.test.ts",
  "new stage --dir": "new.test.ts",
  "new tool --dir": "new.test.ts",
  "new validator --dir": "new.test.ts",
  "new subagent --dir": "new.test.ts",
  "new provider --dir": "new.test.ts",
  "tools add --name": "toolsAdd.test.ts",
  "tools add --base-url": "toolsAdd.test.ts",
  "tools add --include": "toolsAdd.test.ts",
  "tools add --untyped": "toolsAdd.test.ts",
  "tools add --out": "toolsAdd.test.ts",
  "runs cancel --now": "recorded.test.ts",
  "runs resume --by": "recorded.test.ts",
  "runs resume --force": "runs.test.ts",
  "runs reset --by": "recorded.test.ts",
  "init --yes": "init.test.ts",
  "init --install": "init.test.ts",
  "doctor --warm": "examples.test.ts",
  "review list --state": "review.test.ts",
  "review list --limit": "review.test.ts",
  "review list --json": "review.test.ts",
  "review show --json": "review.test.ts",
  "review claim --by": "review.test.ts",
  "review claim --for": "review.test.ts",
  "review claim --json": "review.test.ts",
  "review decide --verdict": "review.test.ts",
  "review decide --text": "review.test.ts",
  "review decide --note": "review.test.ts",
  "review decide --by": "review.test.ts",
  "review decide --json": "review.test.ts",
  "review cases --workflow": "review.test.ts",
  "review cases --out": "review.test.ts",
  "review cases --user": "reviewCases.test.ts",
  "review cases --json": "review.test.ts",
  "review report --json": "review.test.ts",
}

/** Flags that only print or draw. */
export const documentation: ReadonlySet<string> = new Set(["--help"])
