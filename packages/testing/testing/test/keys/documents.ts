/** Examples of the keys of libraries, and of the stage kinds that search them and answer from them. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import documents from "@planloom/documents"
import { forgetInFolder, readSets } from "@planloom/documents/manage"
import { check } from "@planloom/embed"
import type { Json } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import * as Effect from "effect/Effect"
import type { KeyExample } from "./KeyExample.ts"
import { observeRuns, type World } from "./World.ts"
import { byDefault, examples, file, flow } from "./worlds.ts"

const rows = "id,title,note,day,room\nr1,Tea,Hot refunds,mon,A\nr2,Refunds of tea,Cold,tue,B\n"

const papers = {
  "papers/a.md": "# A\n\nRefunds of tea take days.\n",
  "papers/b.txt": "Refunds in a note.\n",
  "papers/sub/c.md": "Refunds below.\n",
  "notes/d.md": "Refunds elsewhere.\n",
  "rows.csv": rows,
  "other.csv": "id,title\no1,Other refunds\n",
}

const load: World["load"] = { plugins: { "@planloom/documents": async () => documents } }

const searching = (stage: string, libraries: string, more: Partial<World> = {}): World =>
  flow(
    `
use: { plugins: ["@planloom/documents"] }
${libraries}
stages:
  - { id: one, uses: search, with: ${stage} }
outputs: { found: { value: "\${{ stages.one.output }}" } }
`,
    { load, ...more, files: { ...papers, ...more.files } },
  )

const QUERIES = "{ queries: [refunds] }"

type Row = readonly [key: string, at: string, one: Json, other: Json]

/** The keys of one library, wherever it is declared. */
const ofLibrary: ReadonlyArray<Row> = [
  ["*.folder", "folder", "./papers", "./notes"],
  ["*.include", "include", ["*.md"], ["*.txt"]],
  ["*.exclude", "exclude", ["*.md"], ["*.txt"]],
  ["*.max_files", "max_files", 1, 2],
  ["*.rows", "rows", "rows.csv", "other.csv"],
  ["*.rows.file", "rows", { file: "rows.csv" }, { file: "other.csv" }],
  ["*.where", "where", { folder: "'sub'" }, { folder: "'none'" }],
  // No server is there: each page is named with the reason.
  ["*.urls", "urls", ["http://127.0.0.1:1/a"], ["http://127.0.0.1:1/b"]],
]

const ofPages: ReadonlyArray<Row> = [
  ["*.private", "private", ["127.0.0.1"], byDefault(["10.0.0.0/8"]) as never],
]

const ofUsers: ReadonlyArray<Row> = [["*.user", "user", "day", "room"]]

const ofServers: ReadonlyArray<Row> = [
  ["*.sync", "sync", { every: "1s" }, { every: "3s" }],
  ["*.sync.every", "sync", { every: "1s" }, { every: "3s" }],
]

/** The rows of a user that are erased, by column, after a search. */
const forgetting =
  (world: World): NonNullable<World["observe"]> =>
  async (folder) => {
    await observeRuns(world, folder)
    const forgotten = ["mon", "B"].map((id) => forgetInFolder(folder, id))
    return { shown: forgotten as unknown as ReadonlyArray<Json> }
  }

/** The intervals as a server reads them; `documentsServe.test.ts` of the command shows it sync. */
const serving: NonNullable<World["observe"]> = (folder) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.map(
        check(join(folder, "flow.yaml"), { ...load, extraPlugins: [stages] }),
        ({ workflow }) => ({
          shown: [...readSets(workflow!.resources.declared!).values()].map(
            ({ every }) => every ?? null,
          ),
        }),
      ),
    ),
  )

const ofRows: ReadonlyArray<Row> = [
  ["*.rows.key", "rows.key", "id", "title"],
  ["*.rows.columns", "rows.columns", ["title"], ["note"]],
]

const ofFacets: ReadonlyArray<Row> = [["*.facets", "facets", ["day"], ["room"]]]

const ofTables: ReadonlyArray<Row> = [["*.rows.table", "rows.table", "first", "second"]]

const ofMeaning: ReadonlyArray<Row> = [["*.embedder", "embedder", "tea", "days"]]

const ofOrder: ReadonlyArray<Row> = [["*.rerank", "rerank", "longest", "shortest"]]

const tables = async (folder: string): Promise<void> => {
  const database = new DatabaseSync(join(folder, "rows.sqlite"))
  database.exec(
    "CREATE TABLE first (title TEXT); CREATE TABLE second (title TEXT); INSERT INTO first VALUES ('First refunds'); INSERT INTO second VALUES ('Second refunds')",
  )
  database.close()
}

/** A vector says whether a text has the word that names the embedder. */
const embedders = () => ({
  embedders: ["tea", "days"].map((id) => ({
    id,
    summary: "Finds a word.",
    model: `test/${id}`,
    dimensions: 2,
    embed: (texts: ReadonlyArray<string>) =>
      Effect.succeed({
        vectors: texts.map((text) => new Float32Array(text.includes(id) ? [1, 0] : [0, 1])),
      }),
  })),
})

const rerankers = () => ({
  rerankers: [
    ["longest", 1],
    ["shortest", -1],
  ].map(([id, sign]) => ({
    id: String(id),
    summary: "Orders by length.",
    model: `test/${id}`,
    rerank: (_: string, texts: ReadonlyArray<string>) =>
      Effect.succeed({ scores: texts.map(({ length }) => Number(sign) * length) }),
  })),
})

interface Place {
  readonly owner: string
  /** The place of the libraries in `file`. */
  readonly at: string
  readonly file: string
  /** The world whose library `shop` is this. */
  readonly world: (library: string, stage: string, more?: Partial<World>) => World
}

const places: ReadonlyArray<Place> = [
  {
    owner: "workflow libraries",
    at: "libraries",
    file: "flow.yaml",
    world: (library, stage, more) => searching(stage, `libraries: { shop: ${library} }`, more),
  },
  {
    owner: "project libraries",
    at: "libraries",
    file: "planloom.yaml",
    world: (library, stage, more = {}) =>
      searching(stage, "", {
        ...more,
        files: {
          ...more.files,
          "planloom.yaml": file("Project", `libraries: { shop: ${library} }`),
        },
      }),
  },
  {
    owner: "Documents.libraries",
    at: "libraries",
    file: "shops.yaml",
    world: (library, stage, more = {}) => {
      const world = searching(stage, "", {
        ...more,
        files: {
          ...more.files,
          "shops.yaml": file("Documents", `libraries: { shop: ${library} }`),
        },
      })
      const workflow = world.files["flow.yaml"] as { readonly use: object }
      return {
        ...world,
        files: {
          ...world.files,
          "flow.yaml": { ...workflow, use: { ...workflow.use, files: ["shops.yaml"] } },
        },
      }
    },
  },
]

const librariesAt = ({ at, file: path, owner, world }: Place): ReadonlyArray<KeyExample> => {
  const rowsOf = (all: ReadonlyArray<Row>, of: World) =>
    examples(
      { owner, world: of, file: path },
      all.map(([key, name, one, other]) => [key, `${at}.shop.${name}`, one, other] as const),
    )
  return [
    ...rowsOf(ofLibrary, world("{ folder: ./papers, rows: other.csv }", QUERIES)),
    ...rowsOf(ofRows, world("{ rows: { file: rows.csv } }", QUERIES)),
    ...rowsOf(
      ofFacets,
      world("{ rows: rows.csv }", "{ queries: [{ query: refunds, filter: { day: mon } }] }"),
    ),
    ...rowsOf(
      ofTables,
      world("{ rows: { file: rows.sqlite } }", QUERIES, {
        observe: async (folder) => {
          await tables(folder)
          return observeRuns(world("{ rows: { file: rows.sqlite } }", QUERIES), folder)
        },
      }),
    ),
    ...rowsOf(ofPages, world("{ urls: ['http://127.0.0.1:1/a'] }", QUERIES)),
    ...rowsOf(
      ofUsers,
      world("{ rows: rows.csv }", QUERIES, {
        observe: forgetting(world("{ rows: rows.csv }", QUERIES)),
      }),
    ),
    ...rowsOf(ofServers, world("{ folder: ./papers }", QUERIES, { observe: serving })),
    ...rowsOf(
      ofMeaning,
      world("{ folder: ./papers }", "{ queries: [refunds of tea in days] }", {
        components: embedders,
      }),
    ),
    ...rowsOf(ofOrder, world("{ folder: ./papers }", QUERIES, { components: rerankers })),
  ]
}

const LIBRARIES = `libraries: { shop: { folder: ./papers, rows: { file: rows.csv, columns: [title, note] }, facets: [day] }, notes: { folder: ./notes } }`

const searched = searching("{ queries: [{ query: refunds of tea }] }", LIBRARIES)

const searchExamples = examples({ owner: "search", world: searched, at: "stages.0.with" }, [
  ["queries", ["tea"], ["notes"]],
  ["queries.query", "stages.0.with.queries.0.query", "tea", "elsewhere"],
  ["queries.wordings", "stages.0.with.queries.0.wordings", ["elsewhere"], ["days"]],
  ["queries.id", "stages.0.with.queries.0.id", "need", "wish"],
  ["queries.library", "stages.0.with.queries.0.library", "shop", "notes"],
  ["queries.mode", "stages.0.with.queries.0.mode", "faceted", "master"],
  ["queries.filter", "stages.0.with.queries.0.filter", { day: "mon" }, { day: "tue" }],
  ["queries.threshold", "stages.0.with.queries.0.threshold", 0.9, 0.99],
  ["queries.limit", "stages.0.with.queries.0.limit", 1, 2],
  ["library", "shop", "notes"],
  ["mode", "faceted", "master"],
  ["filter", { day: "mon" }, { day: "tue" }],
  ["threshold", 0.5, 1],
  ["limit", 1, 2],
  ["where", { day: "mon" }, { day: "tue" }],
])

const failing = searching("{ queries: [{ query: tea, filter: { nothing: 1 } }] }", LIBRARIES)
const twice = () =>
  flow(
    `
use: { plugins: ["@planloom/documents"] }
${LIBRARIES}
stages:
  - { id: before, uses: search, with: ${QUERIES} }
  - { id: one, uses: search, needs: [before], with: { queries: [refunds] } }
`,
    { load, files: papers },
  )

const passage = (text: string) => ({
  library: "shop",
  id: text,
  path: "a.md",
  heading: "",
  first_line: 1,
  last_line: 1,
  text: text.repeat(60),
})

const found = (more: object = {}) =>
  ({ found: true, passages: [passage("tea"), passage("milk")], ...more }) as unknown as Json

const answering = (replies: ReadonlyArray<string>, more: object = {}) => {
  const world = flow(
    `
use: { plugins: ["@planloom/documents"] }
stages:
  - { id: one, uses: cite, model: scripted/one, with: {} }
outputs: { said: { value: "\${{ stages.one.output }}" } }
`,
    { load, replies: replies.map((text) => ({ text })) },
  )
  const workflow = world.files["flow.yaml"] as { readonly stages: ReadonlyArray<object> }
  const input = { question: "Which tea?", search: found(), ...more }
  return {
    ...world,
    files: {
      "flow.yaml": {
        ...workflow,
        stages: workflow.stages.map((one) => ({ ...one, with: input })),
      } as unknown as Json,
    },
  }
}

const inventing = answering(["Tea [7].", "Tea [7].", "Tea [7].", "Tea [7]."])

const citeExamples = [
  ...examples({ owner: "cite", world: answering(["Tea [1]."]), at: "stages.0.with" }, [
    ["question", "Which milk?", "Which cup?"],
    ["search", found({ cut: [{ path: "a", reason: "long" }] }), found({ found: false })],
    ["max_characters", 200, byDefault(6000)],
    ["order", ["milk"], byDefault([])],
    ["show_sources", false, byDefault(true)],
  ]),
  ...examples({ owner: "cite", world: inventing, at: "stages.0.with" }, [
    ["corrections", 0, 2],
    ["on_unknown", "fail", byDefault("remove")],
  ]),
]

export const documentExamples: ReadonlyArray<KeyExample> = [
  ...places.flatMap(librariesAt),
  ...examples(
    {
      owner: "Documents",
      world: places[2]!.world("{ folder: ./papers }", QUERIES),
      file: "shops.yaml",
    },
    [["libraries", { shop: { folder: "./papers" } }, { shop: { folder: "./notes" } }]],
  ),
  ...searchExamples,
  ...examples({ owner: "search", world: failing, at: "stages.0.with" }, [
    ["on_query_error", "keep", byDefault("fail")],
  ]),
  ...examples({ owner: "search", world: twice(), at: "stages.1.with" }, [
    ["reuse", "run", byDefault("stage")],
  ]),
  ...citeExamples,
]
