/** The workflows and forms of the project's repository are well formed: their commands exist, and they have no right that they do not need. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"

const root = join(import.meta.dirname, "../../../..")
const github = join(root, ".github")

const yaml = <A>(path: string) => parse(readFileSync(join(github, path), "utf8")) as A

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly "timeout-minutes": number
  readonly steps: ReadonlyArray<Step>
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>
}

const workflows = readdirSync(join(github, "workflows"))

describe.each(workflows)("the workflow %s", (name) => {
  const { jobs, on, permissions } = yaml<Workflow>(`workflows/${name}`)
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it("runs only scripts of the workspace", () => {
    const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]))
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) {
      expect(Object.keys(scripts)).toContain(/^npx -y pnpm@12 ([a-z]+)/.exec(command)?.[1])
    }
  })

  it("reads the repository and no more, but for the identity of a release", () => {
    expect(permissions).toEqual({ contents: "read" })
    for (const job of Object.values(jobs)) {
      expect(job.permissions ?? permissions).toEqual(
        name === "release.yml" ? { contents: "read", "id-token": "write" } : permissions,
      )
    }
  })

  it("puts no text of a stranger into a shell, leaves no token in the checkout, and ends", () => {
    expect(on).not.toHaveProperty("pull_request_target")
    for (const { run, uses, with: options } of steps) {
      expect(run ?? "").not.toContain("${{")
      if (uses?.startsWith("actions/checkout") === true)
        expect(options).toMatchObject({ "persist-credentials": false })
    }
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0)
  })
})

interface Form {
  readonly name: string
  readonly description: string
  readonly body: ReadonlyArray<{
    readonly id: string
    readonly type: string
    readonly attributes: { readonly label: string }
  }>
}

const forms = readdirSync(join(github, "ISSUE_TEMPLATE")).filter((name) => name !== "config.yml")

describe.each(forms)("the issue form %s", (name) => {
  it("has a name, a description, and fields with their own ids and labels", () => {
    const { body, description, name: title } = yaml<Form>(`ISSUE_TEMPLATE/${name}`)
    expect(title).toMatch(/\w/)
    expect(description).toMatch(/\w/)
    expect(new Set(body.map(({ id }) => id)).size).toBe(body.length)
    for (const { attributes, type } of body) {
      expect(["textarea", "input", "dropdown", "checkboxes"]).toContain(type)
      expect(attributes.label).toMatch(/\w/)
    }
  })
})
