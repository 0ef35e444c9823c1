/** The works of the engine benchmark, and a module for each contestant of a work. */

export const whos = ["plain", "effect", "planloom"] as const

export type Who = (typeof whos)[number]

/** One run of a work by one contestant. */
export type Once = () => Promise<unknown>

/** How to make a run of each work; a contestant may lack a work. */
export type Runs = { readonly [work in Work]?: () => Promise<Once> | Once }

export const titles = {
  sequence: "10 stages in sequence",
  policies: "the same, retry + timeout + budget",
  parallel: "100 tasks, 10 at once",
  agent: "agent: 2 model calls, 2 tools",
} as const

export type Work = keyof typeof titles

export const works = Object.keys(titles) as ReadonlyArray<Work>

/** What each stage and each task does. */
export const step = async (value: number) => value + 1

export const list = Array.from({ length: 100 }, (_, index) => index)
