/** The steps of the GitHub Action: check, test, evaluations, worst-case costs, and a report. Needs Node alone. */
import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const setting = (name) => (process.env[`PLANLOOM_${name}`] ?? "").trim()

/** Words of a line; quotes keep a word together. No shell reads them. */
const words = (line) =>
  [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  )

const folder = resolve(setting("FOLDER") || ".")

/** The project's own command, or the version that the workflow names. */
const command = () => {
  const own = join(folder, "node_modules/.bin/planloom")
  if (existsSync(own)) return [own]
  const version = setting("VERSION")
  if (version === "") {
    throw new Error(
      `${folder} has no node_modules/.bin/planloom: install the project first, or set \`version\``,
    )
  }
  return ["npx", "--yes", `@planloom/cli@${version}`]
}

const trusted = setting("TRUST") === "true" ? ["--trust"] : []

/** Runs planloom. Its output is text of models and tools, too, so the runner reads no command in it, unless `annotates`. */
const planloom = (args, { annotates = false, isQuiet = false } = {}) => {
  const [file, ...first] = command()
  const end = randomUUID()
  console.log(`::stop-commands::${end}`)
  const { status, stdout, error } = spawnSync(file, [...first, ...args, ...trusted], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
    // The token is for the comment alone.
    env: { ...process.env, PLANLOOM_TOKEN: undefined },
  })
  if (!annotates && !isQuiet) process.stdout.write(stdout ?? "")
  console.log(`\n::${end}::`)
  if (error !== undefined) throw error
  if (annotates) process.stdout.write(stdout)
  return { passed: status === 0, stdout }
}

const group = (title, run) => {
  console.log(`::group::${title}`)
  const result = run()
  console.log("::endgroup::")
  return result
}

/** The text of a cell: a `|` would end it. */
const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll("\n", " ")

const dollars = (range) =>
  range === undefined || range === null || range.at_most === null
    ? "unknown"
    : `$${Number(range.at_most.toPrecision(2))}`

const most = (range, fallback = "0") =>
  range === undefined ? fallback : range.at_most === null ? "no limit known" : String(range.at_most)

/** One row of the table of costs. */
const planned = (line, limit) => {
  const gate = limit === "" ? [] : ["--max-cost", limit]
  const { passed, stdout } = planloom(["plan", ...words(line), "--json", ...gate], {
    isQuiet: true,
  })
  let worst
  try {
    worst = JSON.parse(stdout).worst
  } catch {
    return { passed: false, row: `| ${cell(line)} | not planned | | |` }
  }
  const name = words(line)[0]
  return {
    passed,
    row: `| ${passed ? "" : "✗ "}${cell(name)} | ${dollars(worst.cost_usd)} | ${most(worst.model_calls)} | ${most(worst.tool_calls)} |`,
  }
}

const marker = "<!-- planloom -->"

const github = async (method, path, body) => {
  const answer = await fetch(`${process.env["GITHUB_API_URL"]}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${setting("TOKEN")}`,
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
  return answer.json()
}

/** Writes the report as the one comment of this action. */
const comment = async (report) => {
  const path = process.env["GITHUB_EVENT_PATH"]
  const event = path === undefined ? {} : JSON.parse(readFileSync(path, "utf8"))
  const number = event.pull_request?.number
  if (number === undefined || setting("COMMENT") !== "true" || setting("TOKEN") === "") return
  const repository = `/repos/${process.env["GITHUB_REPOSITORY"]}`
  const body = { body: `${marker}\n${report}` }
  for (let page = 1; ; page++) {
    const comments = await github(
      "GET",
      `${repository}/issues/${number}/comments?per_page=100&page=${page}`,
    )
    const own = comments.find((one) => one.user?.type === "Bot" && one.body?.startsWith(marker))
    if (own !== undefined) {
      await github("PATCH", `${repository}/issues/comments/${own.id}`, body)
      return
    }
    if (comments.length < 100) break
  }
  await github("POST", `${repository}/issues/${number}/comments`, body)
}

const main = async () => {
  const parts = [
    [
      "check",
      group("check", () => planloom(["check", "--format", "github"], { annotates: true })).passed,
    ],
  ]
  if (setting("TEST") === "true") {
    parts.push(["test", group("test", () => planloom(["test"])).passed])
  }
  if (setting("EVAL") !== "") {
    parts.push(["eval", group("eval", () => planloom(["eval", ...words(setting("EVAL"))])).passed])
  }
  const limit = setting("MAX_COST")
  const lines = setting("PLAN")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  const plans = group("plan", () => lines.map((line) => planned(line, limit)))
  if (plans.length > 0) parts.push(["plan", plans.every(({ passed }) => passed)])
  const report = [
    `**Planloom** ${parts.map(([name, passed]) => `${passed ? "✓" : "✗"} ${name}`).join(" · ")}`,
    ...(plans.length === 0
      ? []
      : [
          "",
          `Worst case of a run${limit === "" ? "" : `, at most $${limit}`}:`,
          "",
          "| workflow | cost | model calls | tool calls |",
          "|---|---|---|---|",
          ...plans.map(({ row }) => row),
        ]),
    "",
  ].join("\n")
  const summary = process.env["GITHUB_STEP_SUMMARY"]
  if (summary !== undefined) appendFileSync(summary, report)
  try {
    await comment(report)
  } catch (error) {
    // The token of a pull request from a fork may not write; the summary has the report.
    console.log(
      `::notice::no comment was written: ${error instanceof Error ? error.message : error}`,
    )
  }
  if (parts.some(([, passed]) => !passed)) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  console.log(`::error::${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
