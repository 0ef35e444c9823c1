/**
 * The data analyst on a large CSV: `node bench/large.ts [megabytes]`. Writes the table to a temporary folder, asks a
 * question of it in a process of its own, then again with Ctrl-C at three places; removes the folder.
 * Memory is the process's own peak as Linux counts it (VmHWM).
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { createInterface } from "node:readline"
import { DuckDBInstance } from "@duckdb/node-api"

const root = join(import.meta.dirname, "..")
const megabytes = Number(process.argv[2] ?? 1000)
const folder = mkdtempSync(join(tmpdir(), "planloom-large-"))
const data = join(folder, "orders.csv")
const question = "How did the average amount develop per month in each country, only 2022 to 2024?"

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

/** Bytes of a row, on average. */
const ROW = 74

/** The same rows every time; written as they are made. */
const writeTable = async (): Promise<void> => {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`COPY (
    SELECT i AS "order id",
      TIMESTAMP '2021-01-01' + to_seconds((hash(i, 1) % 157680000)::BIGINT) AS "ordered at",
      ['Norway', 'Chile', 'Kenya', 'Japan', 'Peru'][1 + (hash(i, 2) % 5)::INTEGER] AS country,
      'customer-' || hash(i, 3) % 900000 AS customer,
      CASE WHEN hash(i, 4) % 50 > 0 THEN (hash(i, 5) % 100000)::DOUBLE / 100 END AS amount,
      hash(i, 6) % 9 AS quantity,
      'leave it at door ' || hash(i, 7) % 40 AS note
    FROM range(${Math.round((megabytes * 1e6) / ROW)}) t(i)
  ) TO '${data}' (HEADER)`)
  connection.closeSync()
}

/** The same question to DuckDB itself, by a query that reads the file once. Milliseconds. */
const askDuckDB = async (): Promise<number> => {
  const connection = await (await DuckDBInstance.create()).connect()
  const began = performance.now()
  await connection.runAndReadAll(`SELECT date_trunc('month', "ordered at"), country, avg(amount)
    FROM read_csv('${data}') WHERE year("ordered at") BETWEEN 2022 AND 2024 GROUP BY ALL`)
  connection.closeSync()
  return performance.now() - began
}

const peak = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

interface Asked {
  readonly code: number | null
  /** Milliseconds from the start to the end, and from Ctrl-C to the end. */
  readonly ms: number
  readonly stopping: number
  /** MB. */
  readonly peak: number
  readonly progress: ReadonlyArray<string>
  readonly left: ReadonlyArray<string>
  readonly rows: number | undefined
  /** Milliseconds by tool. */
  readonly calls: ReadonlyArray<string>
}

/** Files under a folder. */
const filesIn = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)],
  )

/** In folders of its own for work and for temporary files, so that whatever it leaves is seen. */
const ask = async (interruptAfter?: number): Promise<Asked> => {
  const own = mkdtempSync(join(folder, "run-"))
  const temporary = join(own, "tmp")
  mkdirSync(temporary)
  const args = ["run", join(root, "workflows/data_analyst.yaml"), "--json"]
  const inputs = ["--input", `data=${data}`, "--input", `question=${question}`]
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [join(root, "packages/hosts/cli/src/bin.ts"), ...args, ...inputs],
    {
      cwd: own,
      // Compiled code is kept on purpose, elsewhere.
      env: { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: join(folder, "code") },
      stdio: ["ignore", "pipe", "inherit"],
    },
  )
  let highest = 0
  const watch = setInterval(() => (highest = Math.max(highest, peak(child.pid!))), 20)
  const progress: Array<string> = []
  const calls: Array<string> = []
  let rows: number | undefined
  createInterface({ input: child.stdout }).on("line", (line) => {
    const event = JSON.parse(line) as {
      readonly type: string
      readonly message?: string
      readonly tool?: string
      readonly ms?: number
      readonly outputs?: { readonly table?: { readonly rows: number } }
    }
    if (event.type === "Progressed") progress.push(event.message ?? "")
    if (event.type === "ToolCalled") calls.push(`${event.tool} ${seconds(event.ms ?? 0)}`)
    if (event.type === "Invalid") console.error(line)
    if (event.type === "Result") rows = event.outputs?.table?.rows
  })
  let interrupted = Infinity
  if (interruptAfter !== undefined) {
    setTimeout(() => {
      interrupted = performance.now()
      child.kill("SIGINT")
    }, interruptAfter)
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
  const ended = performance.now()
  clearInterval(watch)
  return {
    code,
    ms: ended - began,
    stopping: ended - interrupted,
    peak: highest,
    progress,
    left: filesIn(temporary),
    rows,
    calls,
  }
}

try {
  await writeTable()
  console.log(`${(statSync(data).size / 1e6).toFixed(0)} MB: ${question}`)
  console.log(`DuckDB alone, one query: ${seconds(await askDuckDB())}`)
  const whole = await ask()
  if (whole.code !== 0) throw new Error(`the run ended with ${whole.code}`)
  console.log(
    `answered with ${whole.rows} rows in ${seconds(whole.ms)}, peak ${whole.peak.toFixed(0)} MB, exit ${whole.code}, ` +
      `${whole.progress.length} times told how far it is, ${whole.left.length} temporary files left`,
  )
  console.log(`  ${whole.calls.join(", ")}`)
  for (const share of [0.2, 0.5, 0.8]) {
    const { code, left, peak: most, stopping } = await ask(whole.ms * share)
    console.log(
      `Ctrl-C at ${share * 100} %: ends after ${seconds(stopping)} with ${code}, peak ${most.toFixed(0)} MB, ` +
        `${left.length} temporary files left${left
          .slice(0, 5)
          .map((path) => `\n  ${path}`)
          .join("")}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
