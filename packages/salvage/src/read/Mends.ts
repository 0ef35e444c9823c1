/** What a reader mended, kept flat: an object for each mend would cost more than the mending. */
import type { SyntaxRepair } from "../Salvage.ts"
import type { Node } from "./Node.ts"

export interface Mend {
  readonly kind: SyntaxRepair
  readonly at: number
  readonly node: Node
  readonly detail?: string
}

export class Mends {
  /** Kind, offset, node and detail, by turns, in lists that never grow long: a long one is copied whenever it grows. */
  private readonly pages: Array<Array<SyntaxRepair | number | Node | string | undefined>> = []
  private page: Array<SyntaxRepair | number | Node | string | undefined> = []

  add(kind: SyntaxRepair, at: number, node: Node, detail: string | undefined): void {
    if (this.page.length === 0) this.pages.push(this.page)
    this.page.push(kind, at, node, detail)
    if (this.page.length === PAGE) this.page = []
  }

  has(kind: SyntaxRepair): boolean {
    return this.pages.some((page) => page.includes(kind))
  }

  get all(): ReadonlyArray<Mend> {
    const all: Array<Mend> = []
    for (const page of this.pages) {
      for (let i = 0; i < page.length; i += 4) {
        const mend = {
          kind: page[i] as SyntaxRepair,
          at: page[i + 1] as number,
          node: page[i + 2] as Node,
        }
        const detail = page[i + 3] as string | undefined
        all.push(detail === undefined ? mend : { ...mend, detail })
      }
    }
    return all
  }
}

/** A multiple of four. */
const PAGE = 2048
