/** `planloom documents sync | status | search | show` as a person uses them: in a project, with files that cannot be read. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import { planloom } from "./planloom.ts"

const folders: Array<string> = []
let cwd = ""

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-documents-")))
  folders.push(cwd)
  await write("planloom.yaml", project("papers: { folder: papers }"))
  await write("papers/returns.md", "# Shop\n\n## Refunds\n\nRefunds take five working days.\n")
  await write("papers/shipping.md", "# Shop\n\n## Shipping\n\nParcels arrive in two days.\n")
})

const project = (libraries: string) =>
  `apiVersion: planloom/v1\nkind: Project\nlibraries: { ${libraries} }\n`

const write = async (path: string, text: string | Uint8Array) => {
  await mkdir(dirname(join(cwd, path)), { recursive: true })
  await writeFile(join(cwd, path), text)
}

const documents = (...args: ReadonlyArray<string>) => planloom(["documents", ...args], { cwd })
const parsed = async (...args: ReadonlyArray<string>) =>
  JSON.parse((await documents(...args, "--json")).stdout)

/** A page with a text, or a blank one. */
const pdf = (...pages: ReadonlyArray<string>): string => {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(" ")
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((text, at) => {
      const content = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = "%PDF-1.4\n"
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

it("a sync of all libraries ends with 1 while a workflow with errors is left out, one of named libraries does not", async () => {
  const workflow = (stages: string) =>
    `apiVersion: planloom/v1\nkind: Workflow\nname: own\nlibraries: { own: { folder: ../papers } }\nuse: { plugins: ["@planloom/stages", "@planloom/documents"] }\nstages: ${stages}\n`
  await write("workflows/own.yaml", workflow("[{ id: a, uses: sett, with: { value: 1 } }]"))
  const broken = await documents("sync")
  expect(broken.stdout).toContain("papers: 2 added")
  expect(broken.stderr).toContain("workflows/own.yaml has errors")
  expect(broken.code).toBe(1)
  expect((await documents("sync", "--json")).code).toBe(1)
  expect((await documents("sync", "papers")).code).toBe(0)
  expect((await documents("sync", "own")).code).toBe(1)
  await write("workflows/own.yaml", workflow("[{ id: a, uses: set, with: { value: 1 } }]"))
  expect((await documents("sync")).code).toBe(0)
})

it("a project without libraries has nothing to sync, show or search", async () => {
  await write("planloom.yaml", "apiVersion: planloom/v1\nkind: Project\n")
  for (const command of ["sync", "status"]) {
    expect(await documents(command)).toMatchObject({ code: 0, stdout: "" })
    expect((await documents(command)).stderr).toContain("declare no libraries")
    expect((await documents(command, "--json")).stdout).toBe("[]\n")
  }
  expect((await documents("search", "refunds")).stderr).toContain("declare no libraries")
  expect((await documents("show", "a.md")).code).toBe(1)
})

it("sync reports what was added, changed and removed, what cannot be read, and what is read in part", async () => {
  await write("papers/scan.pdf", pdf("", ""))
  await write("papers/terms.pdf", pdf("Vouchers never expire", ""))
  await write("papers/broken.docx", "no archive")
  await write("papers/page.html", "<h1>Fees</h1><p>Delivery is free of charge.</p>")
  const first = await documents("sync")
  expect(first.code).toBe(0)
  expect(first.stdout).toContain("papers: 6 added; it has 6 files, 4 passages")
  expect(first.stdout).toContain("  unreadable scan.pdf: it holds no text, perhaps only scans\n")
  expect(first.stdout).toContain("  unreadable broken.docx: it ")
  expect(first.stdout).toContain("  cut terms.pdf: no text on page 2\n")
  expect(first.stderr).toBe("")
  await write("papers/returns.md", "# Shop\n\n## Refunds\n\nRefunds take six working days.\n")
  await rm(join(cwd, "papers/shipping.md"))
  expect(await parsed("sync", "papers")).toMatchObject([
    {
      library: "papers",
      files: 5,
      passages: 3,
      added: [],
      changed: ["returns.md"],
      removed: ["shipping.md"],
      unreadable: [{ path: "broken.docx" }, { path: "scan.pdf" }],
      cut: [{ path: "terms.pdf", reason: "no text on page 2" }],
      left: false,
    },
  ])
  expect((await documents("sync")).stdout).toContain("papers: nothing has changed; it has 5 files")
})

it("status shows what the last sync found, and why one failed, and reads nothing", async () => {
  expect((await documents("status")).stdout).toMatch(/papers +papers +never synced/)
  expect(await parsed("status")).toMatchObject([
    { library: "papers", sources: ["papers"], synced: null },
  ])
  await documents("sync")
  await write("papers/new.md", "New.\n")
  expect(await parsed("status")).toMatchObject([
    { library: "papers", files: 2, passages: 2, synced: expect.stringMatching(/^20\d\d-/) },
  ])
  await rm(join(cwd, "papers"), { recursive: true })
  const failed = await documents("sync")
  expect(failed.code).toBe(3)
  expect(failed.stderr).toContain("papers: there is no folder")
  expect(await parsed("sync")).toMatchObject([{ failure: expect.stringContaining("no folder") }])
  expect((await documents("status")).stdout).toMatch(/papers: the sync of .* failed: there is no/)
  expect(await parsed("status")).toMatchObject([
    { files: 2, failure: { message: expect.stringContaining("there is no folder") } },
  ])
})

it("search prints passages with their places, and says honestly that nothing is found", async () => {
  await write("papers/terms.pdf", pdf("Some cover page", "Vouchers never expire"))
  const { code, stderr, stdout } = await documents("search", "how long do refunds take")
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^returns\.md:3-5 Shop › Refunds {2}0\.\d\d, without long [0-9a-f]{16}\n {4}## Refunds\n\n {4}Refunds take five working days\.\n/,
  )
  expect(stderr).toBe('1 passage for "how long do refunds take". No document has "long".\n')
  expect((await documents("search", "vouchers expire")).stdout).toMatch(
    /^terms\.pdf page 2 {2}1\.00 /,
  )
  const none = await documents("search", "quantum entanglement")
  expect(none).toMatchObject({ code: 0, stdout: "" })
  expect(none.stderr).toContain('Nothing is found for "quantum entanglement"')
  expect(none.stderr).toContain('No document has "quantum", "entanglement".')
  await rm(join(cwd, "papers/returns.md"))
  expect(await parsed("search", "refunds")).toMatchObject({ found: false, passages: [] })
  await write("papers/scan.pdf", pdf(""))
  expect((await documents("search", "parcels")).stderr).toContain(
    "not all files were searched: 1 cannot be read",
  )
})

it("show prints the passages of a file with ids and places, also one by its id", async () => {
  await documents("sync")
  const { stdout } = await documents("show", "returns.md")
  const [, id] = /^returns\.md:3-5 Shop › Refunds {2}([0-9a-f]{16})\n/.exec(stdout)!
  expect(await parsed("show", id!)).toMatchObject([
    { library: "papers", id, path: "returns.md", lines: [3, 5], headings: ["Shop", "Refunds"] },
  ])
  expect(await documents("show", "gone.md")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no passage of a library has the file or id "gone.md"'),
  })
})

it("libraries are chosen by name, and read from a workflow or a file of kind Documents", async () => {
  await write("notes/a.md", "# Notes\n\nParcels are brown.\n")
  await write(
    "shared/libraries.yaml",
    "apiVersion: planloom/v1\nkind: Documents\nlibraries: { notes: { folder: ../notes } }\n",
  )
  await write(
    "workflows/ask.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: ask
use: { plugins: ["@planloom/stages", "@planloom/documents"] }
libraries: { own: { folder: ../notes } }
stages: [{ id: a, uses: set, with: { value: 1 } }]
`,
  )
  const names = async (...args: ReadonlyArray<string>) =>
    (await parsed("sync", ...args)).map(({ library }: { library: string }) => library)
  expect(await names()).toEqual(["papers", "own"])
  expect(await names("own")).toEqual(["own"])
  expect(await names("--from", "shared/libraries.yaml")).toEqual(["notes", "papers"])
  expect((await documents("sync", "own", "papers")).stdout).toContain("own: nothing has changed")
  const { code, stderr } = await documents("sync", "paper")
  expect(code).toBe(1)
  expect(stderr).toContain('no library "paper" is declared')
  expect(stderr).toContain('did you mean "papers"?')
  const hits = async (...args: ReadonlyArray<string>) =>
    (await parsed("search", "parcels", ...args)).passages.map(
      ({ library }: { library: string }) => library,
    )
  expect((await hits()).toSorted()).toEqual(["own", "papers"])
  expect(await hits("--library", "papers")).toEqual(["papers"])
  expect(await hits("--limit", "1")).toHaveLength(1)
  expect((await documents("search", "parcels", "--limit", "0")).code).toBe(2)
  expect((await documents("search", " ")).code).toBe(2)
})

it("a user that is forgotten leaves the libraries that name one, and the files that still do are named", async () => {
  await write(
    "planloom.yaml",
    project("orders: { rows: { file: orders.csv, key: id }, user: owner }"),
  )
  await write("orders.csv", "id,owner,text\n1,ada,A parcel\n2,bob,A parcel\n")
  await documents("sync")
  const erased = await planloom(["users", "forget", "ada"], { cwd })
  expect(erased.stderr).toContain(
    "erased 1 passage of the library orders; delete them in orders.csv, too",
  )
  const { passages } = await parsed("search", "parcel")
  expect(passages.map(({ heading }: { heading: string }) => heading)).toEqual(["2"])
  expect(
    JSON.parse((await planloom(["users", "forget", "bob", "--json"], { cwd })).stdout),
  ).toMatchObject({ libraries: [{ library: "orders", passages: 1, files: ["orders.csv"] }] })
})
