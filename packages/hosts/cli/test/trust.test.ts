/** A folder that somebody else wrote: no command runs its code or shows files outside it, unless the folder is trusted. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answeredInTerminal, noTerminal, planloom, serve, type Outcome } from "./planloom.ts"
import { commandNames } from "../../../../.ci/docs/commands.ts"

const CANARY = "ZQXcanary"

const docs = join(import.meta.dirname, "../../../../docs/trust.md")

/** Arguments by command, on the workflow `w` and the run `RUN`. A new command is missing here until it is listed. */
const commands: { readonly [command: string]: ReadonlyArray<string> } = {
  init: ["inner", "--yes", "--no-install"],
  "new hook": ["polite"],
  "new stage": ["shorten"],
  "new tool": ["count"],
  "new validator": ["brief"],
  "new subagent": ["calm"],
  "new provider": ["house"],
  check: [],
  fmt: ["--check"],
  explain: ["PL4024"],
  schema: [],
  skill: [],
  types: ["w"],
  build: ["w"],
  plan: ["w"],
  run: ["w", "--no-store"],
  dev: ["w", "--once"],
  chat: ["w"],
  "runs list": [],
  "runs show": ["RUN"],
  "runs events": ["RUN"],
  "runs watch": ["RUN"],
  "runs cancel": ["RUN"],
  "runs resume": ["RUN"],
  "runs answer": ["RUN", "--yes"],
  "runs reset": ["RUN", "--from", "ask"],
  "runs fork": ["RUN", "--from", "ask"],
  "runs replay": ["RUN"],
  "runs migrate": ["RUN"],
  "runs export": ["RUN"],
  "runs import": ["none.json"],
  "runs prune": ["--keep", "1"],
  "runs sample": [],
  "sessions list": [],
  "sessions show": ["none"],
  "sessions clear": ["none"],
  prompt: ["w", "--stage", "ask"],
  "prompts list": ["w"],
  "prompts show": ["w", "none"],
  "prompts history": ["w", "none"],
  "prompts diff": ["w", "none"],
  "prompts edit": ["w", "none", "--from", "none.md"],
  "prompts use": ["w", "none", "file"],
  "models list": ["w"],
  "models swap": ["w", "none", "none/none"],
  "models undo": ["w"],
  "models history": ["w"],
  "documents sync": [],
  "documents status": [],
  "documents search": ["none"],
  "documents show": ["none.md"],
  "users forget": ["none"],
  "eval calibrate": ["w", "--threshold", "confidence"],
  "experiments list": ["w"],
  "experiments report": ["w"],
  "review list": [],
  "review show": ["none"],
  "review claim": [],
  "review decide": ["none", "--verdict", "pass"],
  "review cases": [],
  "review report": [],
  serve: ["w", "--port", "0"],
  "mcp serve": ["w"],
  "mcp list": [],
  "mcp tools": [],
  "mcp call": ["none.any"],
  "mcp approve": [],
  "mcp import": ["none.json"],
  "mcp sync": [],
  "mcp login": ["none"],
  "mcp logout": ["none"],
  "keys create": ["none"],
  audit: [],
  "keys list": [],
  "keys revoke": ["none"],
  test: [],
  eval: ["workflows/w.eval.yaml"],
  list: ["stages", "w"],
  "tools search": ["sum", "w"],
  "tools list": ["w"],
  "tools docs": ["sum", "w"],
  "tools add": ["openapi", "none.yaml"],
  graph: ["w"],
  doctor: [],
}

/** Leaves a file behind when it is loaded. */
const plugin = (id: string) => `import { writeFileSync } from "node:fs"
writeFileSync("WITNESS", ${JSON.stringify(id)})
export default { id: ${JSON.stringify(id)}, summary: "Leaves a witness.", apiVersion: 1, components: {} }
`

const packageOf = (name: string) => ({
  [`${name}/package.json`]: JSON.stringify({
    name,
    version: "1.0.0",
    exports: "./index.mjs",
    type: "module",
  }),
  [`${name}/index.mjs`]: plugin(name),
})

const fetched = {
  version: "1.0.0",
  resolved: "https://registry.npmjs.org/x.tgz",
  integrity: "sha512-x",
}

const write = async (folder: string, files: { readonly [path: string]: string }): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

const workflow = (use: string) => `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages", ../evil.mjs, tracked, linked, copied]${use} }
stages: [{ id: ask, uses: approve, with: { message: "Go on?" } }]
outputs: { approved: "\${{ stages.ask.output.approved }}" }
`

let home: string
let run: string
/** Loads under --trust, and holds a recorded run that waits for an answer. */
let valid: string
/** The same with files outside the project named in its workflow, and a parent project. */
let hostile: string
let untrusting: { readonly [name: string]: string }

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "planloom-hostile-")))
  untrusting = { PLANLOOM_STATE_DIR: join(home, "state"), DEPLOY_TOKEN: CANARY }
  valid = join(home, "valid/clone")
  hostile = join(home, "hostile/clone")
  await write(valid, {
    "evil.mjs": plugin("relative"),
    "workflows/w.yaml": workflow(""),
    "workflows/w.test.yaml":
      "apiVersion: planloom/v1\nkind: WorkflowTest\nworkflow: w.yaml\ntests: [{ name: t, expect: { status: clarification } }]\n",
    "workflows/w.eval.yaml":
      "apiVersion: planloom/v1\nkind: Evaluation\nworkflow: w.yaml\ncases: [{ name: c, inputs: {} }]\n",
    "package-lock.json": JSON.stringify({
      lockfileVersion: 3,
      packages: {
        "node_modules/tracked": fetched,
        "node_modules/linked": { resolved: "packages/linked", link: true },
        "node_modules/copied": { version: "1.0.0", resolved: "file:packages/copied" },
      },
    }),
  })
  await write(join(valid, "node_modules"), { ...packageOf("tracked"), ...packageOf("copied") })
  await write(join(valid, "packages"), packageOf("linked"))
  await symlink("../packages/linked", join(valid, "node_modules/linked"))
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", args, { cwd: valid, stdio: "ignore" })
  git("init")
  git("add", "--force", "node_modules/tracked")
  const asked = await planloom(["run", "w", "--trust", "--json"], {
    cwd: valid,
    env: untrusting,
    alone: true,
  })
  expect(asked).toMatchObject({ code: 4 })
  run = /"run":"([^"]+)"/.exec(asked.stdout)![1]!
  expect(await readFile(join(valid, "WITNESS"), "utf8")).toBe("copied")
  await rm(join(valid, "WITNESS"))
  await cp(valid, hostile, { recursive: true, verbatimSymlinks: true })
  await write(join(home, "hostile"), {
    secret: `TOKEN: ${CANARY}\nkind: ${CANARY}\ntools: ${CANARY}\n`,
    "planloom.yaml": `apiVersion: planloom/v1\nkind: Project\n${CANARY}: 1\n`,
  })
  await write(hostile, {
    "workflows/w.yaml": workflow(", files: [/proc/self/environ, ../../secret, ../linked.yaml]"),
  })
  await symlink("../secret", join(hostile, "linked.yaml"))
}, 120_000)

afterAll(() => rm(home, { recursive: true, force: true }))

let copies = 0

/** Runs a command in a copy of a folder; gives what it printed, and whether code of the folder ran. */
const inCopyOf = async (
  folder: string,
  command: string,
  flags: ReadonlyArray<string>,
): Promise<{ readonly printed: string; readonly ran: boolean }> => {
  const cwd = join(dirname(folder), `copy${copies++}`)
  await cp(folder, cwd, { recursive: true, verbatimSymlinks: true })
  const args = commands[command]!.map((arg) => (arg === "RUN" ? run : arg))
  const options = { cwd, env: untrusting }
  const { stderr, stdout } =
    command === "serve" && flags.includes("--trust")
      ? await served(args.slice(0, 1), flags, options)
      : await planloom([...command.split(" "), ...args, ...flags], options)
  return { printed: stdout + stderr, ran: existsSync(join(cwd, "WITNESS")) }
}

const served = async (
  args: ReadonlyArray<string>,
  flags: ReadonlyArray<string>,
  options: Parameters<typeof serve>[1],
): Promise<Outcome> => {
  const server = await serve([...args, ...flags], options)
  return { code: await server.stop("SIGTERM"), stdout: "", stderr: server.stderr() }
}

/** The table of docs/trust.md: what a command loads of a folder that is trusted. */
const documented = async (): Promise<ReadonlyMap<string, string>> =>
  new Map(
    [...(await readFile(docs, "utf8")).matchAll(/^\| `([^`]+)` \| (plugins|nothing)/gm)].map(
      ([, name, loads]) => [name!, loads!],
    ),
  )

it("docs/trust.md and this test list every command", async () => {
  const names = (await commandNames()).toSorted()
  expect(Object.keys(commands).toSorted()).toEqual(names)
  expect([...(await documented()).keys()].toSorted()).toEqual(names)
})

describe.each(Object.keys(commands))("planloom %s", (command) => {
  it("runs and leaks no code of an untrusted folder", async () => {
    const { printed, ran } = await inCopyOf(hostile, command, [])
    expect(ran).toBe(false)
    expect(printed).not.toContain(CANARY)
  }, 60_000)

  it("runs code of a trusted folder if docs/trust.md lists it so", async () => {
    const { ran } = await inCopyOf(valid, command, ["--trust"])
    expect(ran ? "plugins" : "nothing").toBe((await documented()).get(command))
  }, 60_000)
})

it.concurrent("--no-plugins checks the rest, and says what it left out", async () => {
  const { printed, ran } = await inCopyOf(valid, "check", ["--no-plugins"])
  expect(ran).toBe(false)
  expect(printed).toContain('w.yaml:4:38 warning PL4024 the plugin "../evil.mjs" is left out')
  expect(printed).toContain("4 warnings")
})

it.concurrent("a file outside the project is not read", async () => {
  const { printed } = await inCopyOf(hostile, "check", [])
  expect(printed).toContain('"../../secret" is outside the project')
})

describe.skipIf(noTerminal !== undefined)("a person at a terminal", () => {
  it.concurrent("is asked once, with the file named, and not again after y", async () => {
    const cwd = join(home, "asked")
    await cp(valid, cwd, { recursive: true, verbatimSymlinks: true })
    const env = { PLANLOOM_STATE_DIR: join(home, "asked-state") }
    const at = /run its code\? \[y\/N\] /
    const refused = await answeredInTerminal(["check"], { answer: "\r", at, cwd, env })
    expect(refused).toContain(join(cwd, "evil.mjs"))
    expect(refused).toContain("PL4024")
    expect(existsSync(join(cwd, "WITNESS"))).toBe(false)
    const shown = await answeredInTerminal(["check"], { answer: "y\r", at, cwd, env })
    expect(shown.match(/\[y\/N\]/g)?.length).toBeGreaterThan(0)
    expect(shown).not.toContain("PL4024")
    await rm(join(cwd, "WITNESS"))
    const again = await planloom(["check"], { cwd, env, alone: true })
    expect(again.stdout).toBe("")
    expect(existsSync(join(cwd, "WITNESS"))).toBe(true)
  }, 120_000)
})

describe("an installed package", () => {
  /** A project whose lockfile names `installed` and `tracked`, of which git tracks the second. */
  const project = async (name: string, code: string): Promise<string> => {
    const folder = join(home, name)
    await cp(valid, folder, { recursive: true, verbatimSymlinks: true })
    await write(folder, {
      "workflows/w.yaml":
        "apiVersion: planloom/v1\nkind: Workflow\nname: w\nuse: { plugins: [installed] }\nstages: [{ id: a, uses: b }]\n",
      "node_modules/installed/package.json": `{ "name": "installed", "exports": "./index.mjs" }`,
      "node_modules/installed/index.mjs": code,
      "package-lock.json": JSON.stringify({
        lockfileVersion: 3,
        packages: { "node_modules/installed": fetched, "node_modules/tracked": fetched },
      }),
    })
    return folder
  }

  it.concurrent("is loaded in a folder that is not trusted", async () => {
    const { printed, ran } = await inCopyOf(await project("calm", plugin("calm")), "check", [])
    expect(printed).not.toContain("PL4024")
    expect(ran).toBe(true)
  })

  it.concurrent.each([
    ["imports", 'import "tracked"'],
    [
      "requires",
      'import { createRequire } from "node:module"\ncreateRequire(import.meta.url)("tracked")',
    ],
    ["imports while it runs", 'await import("tracked")'],
  ])("is rejected if it %s code of an untrusted folder", async (_, code) => {
    const name = `reaching${copies++}`
    const folder = await project(name, `${code}\nexport default {}\n`)
    const { printed, ran } = await inCopyOf(folder, "check", [])
    expect(printed).toContain("tracked/index.mjs, which is not part of an installed package")
    expect(ran).toBe(false)
  })
})

it.concurrent("a refused plugin is named at its place, with its file and the way to trust it", async () => {
  const { printed } = await inCopyOf(valid, "check", [])
  expect(printed).toContain(
    'w.yaml:4:38 error PL4024 the plugin "../evil.mjs" is not loaded: evil.mjs is code',
  )
  expect(printed).toContain("--trust runs it once")
})
