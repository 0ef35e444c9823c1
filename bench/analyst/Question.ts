/** The questions with their hand-written truth, and the public tables that they are about. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"

interface Asked {
  readonly id: string
  readonly ask: string
  /** SQL over `t`; none for a question that the table cannot answer. */
  readonly truth?: string
  /** SQL of a second reading that is as good. */
  readonly also?: string
  readonly ranked?: true
  readonly unanswerable?: true
}

export interface Table {
  readonly name: string
  readonly path: string
  readonly encoding: string
}

export interface Question extends Asked {
  readonly table: Table
  readonly half: "seen" | "unseen"
}

const yamlOf = <A>(folder: string, file: string): A =>
  parse(readFileSync(join(folder, file), "utf8")) as A

/** The half is the parity of the first byte of the SHA-256 digest of the id: even is seen. */
const halfOf = (id: string): Question["half"] =>
  createHash("sha256").update(id).digest()[0]! % 2 === 0 ? "seen" : "unseen"

/** `set` holds `tables.yaml` and `questions.yaml`: another folder for questions of one's own. */
export const questionsOf = (
  folder: string,
  set: string = import.meta.dirname,
): ReadonlyArray<Question> => {
  const tables = new Map(
    yamlOf<ReadonlyArray<{ name: string; file: string; sha256: string; encoding?: string }>>(
      set,
      "tables.yaml",
    ).map(({ encoding = "utf-8", file, name, sha256 }) => {
      const path = join(folder, file)
      if (createHash("sha256").update(readFileSync(path)).digest("hex") !== sha256)
        throw new Error(`${path} is another version than the one that the truths are of`)
      return [name, { name, path, encoding }]
    }),
  )
  return yamlOf<ReadonlyArray<{ table: string; questions: ReadonlyArray<Asked> }>>(
    set,
    "questions.yaml",
  ).flatMap(({ questions, table }) =>
    questions.map((asked) => ({ ...asked, table: tables.get(table)!, half: halfOf(asked.id) })),
  )
}
