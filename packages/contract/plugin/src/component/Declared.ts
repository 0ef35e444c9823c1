/** The declarations of a workflow in the files and sections of plugins. */
import type { Json } from "../value/Json.ts"

/** A value that a plugin's file kind or section gives meaning. */
export interface DeclaredValue {
  readonly value: Json
  /** Absolute path of the file that it is written in: paths in the value are relative to its folder. */
  readonly path: string
}

/** A workflow's declarations in the files and sections of plugins; values that fit their schemas. */
export interface Declared {
  /** Folder of the project file, or of the workflow without a project. */
  readonly root: string
  /** Folders and files that runs of the workflow may read: absolute paths, `invocation.roots` of a call. */
  readonly roots: ReadonlyArray<string>
  /** The files of a kind under `use.files`, in declared order. */
  readonly files: (kind: string) => ReadonlyArray<DeclaredValue>
  /** The sections of this key, of the project and the workflow: the project's first, then those of used files. */
  readonly sections: (key: string) => ReadonlyArray<DeclaredValue>
}
