/** Declarations of a workflow for its plugins, known to them once its files are read. */
import { resolve } from "node:path"
import type { Declared, DeclaredValue, Json, SectionOwner } from "@planloom/plugin/effect"

/** Contents of files, by kind. */
export type DeclaredFiles = ReadonlyMap<string, ReadonlyArray<DeclaredValue>>

interface Section extends DeclaredValue {
  readonly key: string
  readonly on: SectionOwner
}

export const declaredFrom = (
  { root, roots }: { readonly root: string; readonly roots: ReadonlyArray<string> },
  files: DeclaredFiles,
  sections: ReadonlyArray<Section>,
): Declared => ({
  root: resolve(root),
  roots,
  files: (kind) => (files.get(kind) ?? []).map(absolute),
  sections: (wanted) =>
    sections.filter(({ key, on }) => key === wanted && on !== "stage").map(absolute),
})

const absolute = ({ path, value }: DeclaredValue): DeclaredValue => ({ value, path: resolve(path) })

export const valuesByKind = (files: DeclaredFiles): ReadonlyMap<string, ReadonlyArray<Json>> =>
  new Map([...files].map(([kind, all]) => [kind, all.map(({ value }) => value)]))

/** Given to plugins before the files are read. */
export class LateDeclared {
  private known: Declared | undefined

  readonly read = (): Declared => {
    if (this.known === undefined) {
      throw new Error(
        "what the workflow declares is not known while plugins are set up; read it in `list`, `known` or `call` of a tool source",
      )
    }
    return this.known
  }

  settle(declared: Declared): void {
    this.known = declared
  }
}
