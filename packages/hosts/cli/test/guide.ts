/** Reads a guide of the documentation: the files that it shows, and the commands with what they print. */
import { parse } from "yaml"
import { codeBlocks } from "../../../../.ci/docs/codeBlocks.ts"

/** A fenced block with `title=path` after its language. */
export interface GuideFile {
  readonly type: "file"
  readonly path: string
  readonly text: string
}

/** A command of a `console` block. */
export interface GuideCommand {
  readonly type: "command"
  readonly line: string
  /** Lines that must be printed, in any stream; `…` stands for any text. */
  readonly printed: ReadonlyArray<string>
  /** Written as `# exit code 4` behind the command. */
  readonly code: number
}

export interface Guide {
  readonly steps: ReadonlyArray<GuideFile | GuideCommand>
  /** Replies of the model, in order, from a comment that begins with `model`. */
  readonly replies: ReadonlyArray<{ readonly [key: string]: unknown }>
  /** Answers of an HTTP API, from a comment that begins with `api`. */
  readonly api: ReadonlyArray<{
    /** GET unless written. */
    readonly method?: string
    readonly path: string
    readonly json: unknown
  }>
}

export const readGuide = (text: string): Guide => {
  const listed = (name: string) =>
    [...text.matchAll(new RegExp(`^<!-- ${name}\\n([^]*?)^-->$`, "gm"))].flatMap(
      ({ 1: yaml }) => parse(yaml!) as ReadonlyArray<never>,
    )
  const steps = codeBlocks(text).flatMap(({ language, path, text: body }): Guide["steps"] =>
    path !== undefined
      ? [{ type: "file", path, text: body }]
      : language === "console"
        ? commandsOf(body)
        : [],
  )
  return { steps, replies: listed("model"), api: listed("api") }
}

const commandsOf = (body: string): ReadonlyArray<GuideCommand> =>
  body
    .split(/^\$ /m)
    .slice(1)
    .map((part): GuideCommand => {
      const [first = "", ...printed] = part.trimEnd().split("\n")
      const [line = "", comment] = first.split("   # exit code ")
      return {
        type: "command",
        line: line.trim(),
        printed: printed.filter((one) => one.trim() !== "" && one.trim() !== "…"),
        code: Number(comment ?? 0),
      }
    })

/** Splits a command line as a shell would, without expansions. */
export const wordsOf = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"/g,
      (_, single?: string, double?: string) => single ?? double ?? "",
    ),
  )

/** Whether a line was printed; numbers with a unit of time may differ. */
export const isPrinted = (line: string, printed: string): boolean => {
  const pattern = line
    .trim()
    .split(/(…|\d[\d,.]* ?(?:ms|s)\b)/)
    .map((part, index) =>
      index % 2 === 0
        ? part
            .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
            .replaceAll(/\s+/g, String.raw`\s+`)
        : part === "…"
          ? ".*"
          : String.raw`[\d,.]+ ?m?s`,
    )
    .join("")
  return new RegExp(`^\\s*${pattern}\\s*$`, "m").test(printed)
}
