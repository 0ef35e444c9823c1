/** Runs a script of a side in a process of its own, and reads the figures that it prints in its last line. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"

/** The least value by unit. */
export type Measured = Map<string, number>

const { NODE_COMPILE_CACHE: _unset, ...inherited } = process.env

/** The least of all processes; the end of what was printed if one failed. */
export const measure = (
  folder: string,
  {
    args,
    processes,
    script,
  }: { readonly script: string; readonly args: ReadonlyArray<string>; readonly processes: number },
): Measured | string => {
  const least: Measured = new Map()
  for (let count = 0; count < processes; count++) {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [join(folder, script), ...args],
      {
        cwd: join(folder, "hosts"),
        encoding: "utf8",
        env: {
          ...inherited,
          NODE_ENV: "production",
          NO_COLOR: "1",
          OPENAI_API_KEY: "none",
          // What a work writes goes with the side's copy of the scripts.
          TMPDIR: folder,
        },
      },
    )
    const last = stdout.trimEnd().split("\n").at(-1) ?? ""
    if (status !== 0 || !last.startsWith("{")) return `${stdout}${stderr}`.trim().slice(0, 600)
    const found = JSON.parse(last) as { readonly [unit: string]: ReadonlyArray<number> }
    for (const [unit, values] of Object.entries(found)) {
      least.set(unit, Math.min(least.get(unit) ?? Infinity, ...values))
    }
  }
  return least
}
