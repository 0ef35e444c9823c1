/** A program of a Debian package that only one check needs: from the PATH, or else unpacked from the package into a folder of its own. */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdirSync } from "node:fs"
import { join } from "node:path"

const cache = join(import.meta.dirname, "../node_modules/.cache/debian")

const succeeds = (command: string, args: ReadonlyArray<string>, cwd?: string): boolean =>
  spawnSync(command, args, { cwd, stdio: "ignore" }).status === 0

/** The path of the program, or why there is none. Installs no service, and needs no rights but those to read apt's lists. */
export const debianProgram = (
  program: string,
  packageName = program,
): { readonly path: string } | { readonly missing: string } => {
  if (succeeds(program, ["--version"])) return { path: program }
  const folder = join(cache, packageName)
  const path = join(folder, "usr/bin", program)
  if (existsSync(path)) return { path }
  if (!succeeds("apt-get", ["--version"])) {
    return { missing: `there is no ${program}, and no apt-get to fetch Debian's package` }
  }
  mkdirSync(folder, { recursive: true })
  const isFetched = () => succeeds("apt-get", ["download", packageName], folder)
  // The lists of a new machine are empty.
  if (!isFetched() && !(succeeds("apt-get", ["update"]) && isFetched())) {
    return { missing: `there is no ${program}, and apt-get cannot fetch Debian's package` }
  }
  const [archive] = globSync("*.deb", { cwd: folder })
  return succeeds("dpkg-deb", ["-x", archive!, "."], folder) && succeeds(path, ["--version"])
    ? { path }
    : { missing: `Debian's package ${packageName} has no ${program} that starts here` }
}
