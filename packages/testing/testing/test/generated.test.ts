/** Generated files are what their generators write; `npx -y pnpm@12 run docs` writes them. */
import { expect, it } from "vitest"
import { compared } from "../../../../.ci/docs/Page.ts"
import { pages } from "../../../../.ci/docs/pages.ts"

it.each(pages.map((page) => [page.path, page] as const))(
  "%s is what its generator writes",
  async (_path, page) => {
    const { now, wanted } = await compared(page)
    expect(now).toBe(wanted)
  },
)
