/** Publishes packed packages to the registry, each version once, with a statement of where they were built. */
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs, promisify } from "node:util"
import { pack } from "./pack.ts"

interface Options {
  /** Does everything but the upload. */
  readonly dryRun: boolean
  /** The registry's address. */
  readonly registry: string
}

interface Published {
  readonly id: string
  /** False if the registry already had this version. */
  readonly uploaded: boolean
}

/** `name@version` of a tarball. */
const idOf = (tarball: string): string => {
  const text = execFileSync("tar", ["-xOzf", tarball, "package/package.json"], { encoding: "utf8" })
  const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string }
  return `${name}@${version}`
}

/** Throws with what npm wrote unless it succeeds. */
const npm = (...args: ReadonlyArray<string>) =>
  promisify(execFile)("npm", args, {
    // Without settings of pnpm, which npm warns about.
    env: Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)),
    ),
  })

/** Whether the registry has the version. Throws unless it answered. */
const isPublished = async (id: string, registry: string): Promise<boolean> => {
  const [, name, version] = /^(.+)@([^@]+)$/.exec(id)!
  const answer = await fetch(new URL(encodeURIComponent(name!), `${registry.replace(/\/$/, "")}/`))
  if (answer.status === 404) return false
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`)
  const { versions } = (await answer.json()) as { readonly versions: object }
  return Object.hasOwn(versions, version!)
}

/** Publishes each tarball whose version the registry lacks; a release that stopped halfway is completed by another call. Throws at the first that is refused. */
export const publish = async (
  tarballs: ReadonlyArray<string>,
  { dryRun, registry }: Options,
): Promise<ReadonlyArray<Published>> => {
  const published: Array<Published> = []
  for (const tarball of tarballs) {
    const id = idOf(tarball)
    const uploaded = !(await isPublished(id, registry))
    if (uploaded) {
      const how = dryRun ? "--dry-run" : "--provenance"
      await npm("publish", tarball, "--access", "public", "--registry", registry, how)
    }
    published.push({ id, uploaded })
  }
  return published
}

/** The tag of the version that the packages share. */
const expectedTag = (): string => {
  const manifest = join(import.meta.dirname, "../packages/hosts/planloom/package.json")
  return `v${(JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version}`
}

/** The reason to refuse the command line, or `undefined`. */
const refusal = (tag: string | undefined, dryRun: boolean): string | undefined => {
  if (dryRun) return undefined
  if (tag === undefined) return "usage: pnpm release <tag> | --dry-run"
  if (tag !== expectedTag()) return `the tag is ${tag}, the packages are ${expectedTag()}`
  return undefined
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { "dry-run": { type: "boolean", default: false } },
    allowPositionals: true,
  })
  const refused = refusal(positionals[0], values["dry-run"])
  if (refused !== undefined) {
    console.error(refused)
    process.exitCode = 2
  } else {
    const folder = mkdtempSync(join(tmpdir(), "planloom-release-"))
    try {
      const dryRun = values["dry-run"]
      const registry = (await npm("config", "get", "registry")).stdout.trim()
      for (const { id, uploaded } of await publish(await pack(folder), { dryRun, registry })) {
        console.log(`${uploaded ? (dryRun ? "would publish" : "published") : "present"} ${id}`)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
