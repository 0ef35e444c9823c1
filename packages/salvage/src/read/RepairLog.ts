/** Compact log of a reader's syntax repairs: one object per repair would cost more than the repair. */
import type { SyntaxRepair } from "../Salvage.ts"
import type { Node } from "./Node.ts"

export interface RepairEntry {
  readonly kind: SyntaxRepair
  readonly at: number
  readonly node: Node
  readonly detail?: string
}

export class RepairLog {
  /** Kind, offset, node and detail of each repair in turn. Pages stay short because growing a long array copies it. */
  private readonly pages: Array<Array<SyntaxRepair | number | Node | string | undefined>> = []
  private page: Array<SyntaxRepair | number | Node | string | undefined> = []

  add(kind: SyntaxRepair, at: number, node: Node, detail: string | undefined): void {
    if (this.page.length === 0) this.pages.push(this.page)
    this.page.push(kind, at, node, detail)
    if (this.page.length === PAGE_SIZE) this.page = []
  }

  has(kind: SyntaxRepair): boolean {
    return this.pages.some((page) => page.includes(kind))
  }

  get all(): ReadonlyArray<RepairEntry> {
    const all: Array<RepairEntry> = []
    for (const page of this.pages) {
      for (let i = 0; i < page.length; i += 4) {
        const repair = {
          kind: page[i] as SyntaxRepair,
          at: page[i + 1] as number,
          node: page[i + 2] as Node,
        }
        const detail = page[i + 3] as string | undefined
        all.push(detail === undefined ? repair : { ...repair, detail })
      }
    }
    return all
  }
}

/** Entries per page; a multiple of four. */
const PAGE_SIZE = 2048
