/** Which files a run may open: links, `..`, and files that do not exist. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { isInside, openInside, OutsideRoots } from "./openInside.ts"

const folder = mkdtempSync(join(tmpdir(), "planloom-roots-"))
const root = join(folder, "root")
mkdirSync(join(root, "data"), { recursive: true })
mkdirSync(join(folder, "root2"))
writeFileSync(join(root, "data/in.csv"), "a\n1\n")
writeFileSync(join(folder, "secret.csv"), "key\n1\n")
writeFileSync(join(folder, "root2/secret.csv"), "key\n1\n")
symlinkSync(join(folder, "secret.csv"), join(root, "link.csv"))
symlinkSync(folder, join(root, "up"))
symlinkSync(join(root, "data"), join(folder, "into"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const textOf = async (name: string, roots = [root]): Promise<string> => {
  const { handle, real } = await openInside(name, roots)
  try {
    assert.isTrue(roots.some((one) => isInside(real, one)))
    return await handle.readFile("utf8")
  } finally {
    await handle.close()
  }
}
const rejection = (name: string, roots = [root]): Promise<unknown> =>
  textOf(name, roots).then(
    () => assert.fail(`${name} was opened`),
    (error: unknown) => error,
  )

describe("openInside", () => {
  it.each(["data/in.csv", "data/../data/in.csv", "../into/in.csv"])(
    "opens %s, which is inside",
    async (name) => {
      assert.strictEqual(await textOf(join(root, name)), "a\n1\n")
    },
  )

  it("opens a file that is a root itself, and no other file of its folder", async () => {
    assert.strictEqual(
      await textOf(join(folder, "secret.csv"), [join(folder, "secret.csv")]),
      "key\n1\n",
    )
    const beside = await rejection(join(root, "data/in.csv"), [join(folder, "secret.csv")])
    assert.instanceOf(beside, OutsideRoots)
  })

  it.each([
    "../secret.csv",
    "link.csv",
    "up/secret.csv",
    "../root2/secret.csv",
    "../missing.csv",
    "/proc/self/environ",
  ])("refuses %s, which is outside or leads there", async (name) => {
    const error = await rejection(name.startsWith("/") ? name : join(root, name))
    assert.instanceOf(error, OutsideRoots)
    assert.notInclude(String(error), "ENOENT")
  })

  it("reports a missing file inside as the file system does", async () => {
    const error = await rejection(join(root, "data/missing.csv"))
    assert.strictEqual((error as NodeJS.ErrnoException).code, "ENOENT")
  })

  it("opens nothing without roots", async () => {
    assert.instanceOf(await rejection(join(root, "data/in.csv"), []), OutsideRoots)
  })
})
