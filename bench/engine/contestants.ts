/** The works of the engine benchmark, and how to start each contestant's. */
import type { Once, Start } from "../works/Work.ts"

export const whos = ["plain", "effect", "planloom"] as const

export type Who = (typeof whos)[number]

/** A run of each work; a contestant may lack a work. */
export type Runs = { readonly [work in Work]?: Once }

export const titles = {
  sequence: "10 stages in sequence",
  policies: "the same, retry + timeout + budget",
  parallel: "100 tasks, 10 at once",
  agent: "agent: 2 model calls, 2 tools",
} as const

export type Work = keyof typeof titles

export const works = Object.keys(titles) as ReadonlyArray<Work>

export const startOf = async (who: Who, work: Work): Promise<Once> => {
  if (who === "planloom") {
    const { start } = (await import(`../works/${work}.ts`)) as { readonly start: Start }
    return start()
  }
  const { runs } = (await import(`./${who}.ts`)) as { readonly runs: Runs }
  return runs[work]!
}
