/** Projects that `init` writes work at once: without a key, without a network, without an install. */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { planloom } from "./planloom.ts"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-init-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each([
  ["plan", ["run", "analyse", "--input", "question=What is the total revenue by region?"], "West"],
  ["minimal", ["run", "sales_by_region"], "region"],
])("planloom init --template %s", (template, run, said) => {
  it("passes check, run and test", async () => {
    const project = join(folder, template)
    const made = await planloom(["init", project, "--template", template, "--yes"])
    expect(made.code, made.stderr).toBe(0)
    // Nobody has installed it here, so the way to call it is said.
    expect(made.stderr).toMatch(
      /next:\n  cd .*\n  alias planloom='.*node .*bin\.js'\n  planloom check\n/,
    )
    expect(await readdir(join(project, ".planloom/schema"))).toContain("workflow.json")
    const checked = await planloom(["check", "--max-warnings", "0"], { cwd: project })
    expect(checked, checked.stdout).toMatchObject({ code: 0, stdout: "" })
    expect(await planloom(["fmt", "--check"], { cwd: project })).toMatchObject({ code: 0 })
    const ran = await planloom(run, { cwd: project })
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toContain(said)
    const tested = await planloom(["test", "--reporter", "json"], { cwd: project })
    expect(tested.code, tested.stdout).toBe(0)
    expect(JSON.parse(tested.stdout)).toMatchObject({ passed: 2, failed: 0, broken: 0 })
  })
})

describe("planloom init", () => {
  it("writes an evaluation whose gates pass", async () => {
    const project = join(folder, "measured")
    const made = await planloom(["init", project, "--template", "plan", "--yes"])
    expect(made.stderr).toContain("\n  planloom eval")
    const measured = await planloom(["eval", "--json"], { cwd: project })
    expect(measured.code, measured.stdout).toBe(0)
    expect(JSON.parse(measured.stdout)).toMatchObject({ passed: true, partial: false })
  })

  it("trusts the code of a new folder, but not of a used one", async () => {
    const body = (name: string) =>
      `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\nuse: { plugins: [../mine.mjs, "@planloom/stages"] }\nstages: [{ id: a, uses: approve, with: { message: Go on } }]\n`
    const code = `export default { id: "mine", summary: "Mine.", apiVersion: 1, components: {} }\n`
    const checkedIn = async (project: string) => {
      await planloom(["init", project, "--template", "minimal"])
      await writeFile(join(project, "workflows/mine.yaml"), body("mine"))
      await writeFile(join(project, "mine.mjs"), code)
      return await planloom(["check", "workflows/mine.yaml"], { cwd: project })
    }
    const fresh = await checkedIn(join(folder, "fresh"))
    expect(fresh, fresh.stdout).toMatchObject({ code: 0 })
    const used = join(folder, "used")
    await mkdir(used)
    await writeFile(join(used, "README.md"), "somebody's\n")
    const asked = await checkedIn(used)
    expect(asked.code).toBe(1)
    expect(asked.stdout).toContain("PL4024")
  })

  it("does not overwrite a file", async () => {
    const project = join(folder, "mine")
    await planloom(["init", project, "--template", "minimal"])
    await writeFile(join(project, "package.json"), '{ "name": "mine" }\n')
    const again = await planloom(["init", project, "--template", "minimal"])
    expect(again.code).toBe(0)
    expect(again.stdout).toContain("exists, unchanged")
    expect(again.stderr).toContain('"check": "planloom check"')
    expect(await readFile(join(project, "package.json"), "utf8")).toBe('{ "name": "mine" }\n')
  })

  it("writes a test that exits with 100 at a failed assertion, with its line", async () => {
    const project = join(folder, "wrong")
    await planloom(["init", project, "--template", "minimal"])
    const path = join(project, "workflows/sales_by_region.test.yaml")
    await writeFile(
      path,
      (await readFile(path, "utf8")).replace("outputs.rows == 288", "outputs.rows == 1"),
    )
    const tested = await planloom(["test", "--filter", "one row"], { cwd: project })
    expect(tested.code).toBe(100)
    expect(tested.stdout).toMatch(/sales_by_region\.test\.yaml:\d+:\d+/)
    const none = await planloom(["test", "--filter", "no such name"], { cwd: project })
    expect(none.code).toBe(2)
  })
})
