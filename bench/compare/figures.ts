/** The figures that are compared: what people do with the engine, and how each is measured. */

export interface Figure {
  readonly id: string
  readonly title: string
  /** Its script and arguments, relative to this tree's copy of `bench`. */
  readonly script: string
  readonly args: ReadonlyArray<string>
  /** Processes in each round. */
  readonly processes: number
  /** Has no code of Planloom: if it differs, the machine is too noisy. */
  readonly isControl?: true
}

/** A process warms up, and then measures chunks of CPU time. */
const CHUNKS = "12"

const work = (id: string, title: string): Figure => ({
  id,
  title,
  script: "works/measure.ts",
  args: [id, CHUNKS],
  processes: 1,
})

/** A start, as whole processes. */
const host = (
  id: string,
  title: string,
  script: string,
  ...args: ReadonlyArray<string>
): Figure => ({
  id,
  title,
  script: `hosts/${script}`,
  args,
  processes: 4,
})

const command = (id: string, ...args: ReadonlyArray<string>): Figure =>
  host(id, `planloom ${args[0]!}`, "command.mjs", ...args)

export const figures: ReadonlyArray<Figure> = [
  { ...work("effectAgent", "agent loop in bare Effect (control)"), isControl: true },
  work("sequence", "10 stages in sequence"),
  work("policies", "the same, retry + timeout + budget each"),
  work("promises", "the same, kind in promise style"),
  work("parallel", "100 tasks, 10 at once"),
  work("recorded", "10 stages, recorded in SQLite"),
  work("agent", "agent by hand: 2 model calls, 2 tools"),
  work("loop", "the same by the engine's loop"),
  work("loopLater", "the same, tools answer in a later turn"),
  work("hooks", "10 model calls, 3 hooks each"),
  work("prompt", "a call with 30 sections, 100 tools"),
  work("stream", "a streamed reply of 400 words"),
  work("gate", "the same behind 2 validators"),
  work("salvage", "reading a malformed reply, 4 KB"),
  work("reading", "reading 6 requests, 30 tools"),
  work("check", "checking 1,000 lines"),
  host("artefact", "first run, from an artefact", "artefact.mjs"),
  host("yaml", "first run, from YAML", "yaml.mjs"),
  host("stored", "first run with a store, artefact", "stored.mjs", "artefact"),
  host("storedYaml", "first run with a store, YAML", "stored.mjs", "yaml"),
  host("generate", "loading `stages` and a provider", "generate.mjs"),
  command("help", "--help"),
  command("checkCommand", "check", "--trust", "noop.yaml"),
  command("runCommand", "run", "--trust", "noop.yaml"),
  { ...host("serve", "a run over HTTP, followed", "serve.mjs", CHUNKS), processes: 1 },
]

/** What a process is started with. */
export const commandFor = ({ args, processes, script }: Figure) => ({ script, args, processes })
