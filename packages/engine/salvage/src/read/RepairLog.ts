/** Compact log of a reader's syntax repairs: one object per repair would cost more than the repair. */
import type { SyntaxRepair } from "../Salvage.ts"
import type { Node } from "./Node.ts"

export interface RepairEntry {
  readonly kind: SyntaxRepair
  readonly at: number
  readonly node: Node
  /** The repair is of this item of `node`. */
  readonly slot?: number
  readonly detail?: string
}

export class RepairLog {
  /** Kind, offset, node, and detail or slot of each repair in turn. Pages stay short because growing a long array copies it. */
  private readonly pages: Array<Array<SyntaxRepair | number | Node | string | undefined>> = []

  /** A number in place of the detail is the slot of an item of `node`, which then needs no node of its own. */
  add(kind: SyntaxRepair, at: number, node: Node, detail: string | number | undefined): void {
    let page = this.pages.at(-1)
    if (page === undefined || page.length === PAGE_SIZE) this.pages.push((page = []))
    page.push(kind, at, node, detail)
  }

  get isEmpty(): boolean {
    return this.pages.length === 0
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
        const detail = page[i + 3] as string | number | undefined
        if (detail === undefined) all.push(repair)
        else
          all.push(typeof detail === "number" ? { ...repair, slot: detail } : { ...repair, detail })
      }
    }
    return all
  }
}

/** Entries per page; a multiple of four. */
const PAGE_SIZE = 2048
