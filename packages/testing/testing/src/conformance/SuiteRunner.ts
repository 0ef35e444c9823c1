/** What a conformance suite needs of a test framework; vitest's own `{ describe, it }` is one. */
export interface SuiteRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}
