/** Reads the files of one check, each once, and collects their texts and diagnostics. */
import { basename, dirname, relative } from "node:path"
import { onlyNear, suggest } from "@planloom/expression/suggestion"
import type { Decoded } from "../definition/decode.ts"
import type { DocumentPath } from "../definition/Definition.ts"
import type { Fix } from "../definition/Fix.ts"
import { locateProblem } from "../definition/Problem.ts"
import { beside } from "../source/beside.ts"
import { fileDiagnostic } from "../source/SourceFile.ts"
import type { Diagnostic } from "../source/Diagnostic.ts"
import { parseDocument, type Document } from "../source/Document.ts"
import { isSourceFile, sourceFile, type SourceFile } from "../source/SourceFile.ts"
import { readInside, readSourceFile } from "../source/readSourceFile.ts"
import { existsSync, readdirSync } from "../source/FileSystem.ts"
import { isOutside, projectFile, projectFolder } from "./projectFolder.ts"

export class Reading {
  readonly sources = new Map<string, SourceFile>()
  readonly diagnostics: Array<Diagnostic> = []
  private readonly texts: ReadonlyMap<string, string>
  private roots: ReadonlyArray<string> = []

  /** `texts` contains unsaved files by path. */
  constructor(texts: ReadonlyMap<string, string> = new Map()) {
    this.texts = texts
  }

  /** Allows files to be named in these folders, beside that of the project. */
  allow(roots: ReadonlyArray<string>): void {
    this.roots = roots
  }

  /** Parses a YAML file; undefined when it has no document. */
  async document(path: string): Promise<Document | undefined> {
    const file = await this.file(path)
    if (!isSourceFile(file)) {
      this.diagnostics.push(file)
      return undefined
    }
    return this.parsed(file)
  }

  /** Parses text in memory. */
  parsed(file: SourceFile): Document | undefined {
    this.sources.set(file.path, file)
    const { diagnostics, document } = parseDocument(file)
    this.diagnostics.push(...diagnostics)
    return document
  }

  /** Records the problems of decoding and returns the value. */
  decoded<A>({ definition, diagnostics }: Decoded<A>): A | undefined {
    this.diagnostics.push(...diagnostics)
    return definition
  }

  /** Reads a file that a document names. A read failure is reported where it is named, other problems in the file. */
  async named(
    document: Document,
    path: DocumentPath,
    name: string,
  ): Promise<SourceFile | undefined> {
    const at = beside(document.file.path, name)
    const project = await projectFolder(dirname(document.file.path))
    const given = this.texts.get(at)
    const file =
      given === undefined ? await readInside(at, [project, ...this.roots]) : sourceFile(at, given)
    if (file !== undefined && isSourceFile(file)) {
      this.sources.set(file.path, file)
      return file
    }
    if (file === undefined) {
      this.diagnostics.push(
        locateProblem(document, {
          code: "PL4011",
          message: `"${name}" is outside the project, ${project}, and its roots`,
          path,
          help: `move it there, or add its folder to roots in ${projectFile}`,
        }),
      )
      return undefined
    }
    this.diagnostics.push(
      locateProblem(document, {
        code: "PL4011",
        message: `"${name}" cannot be read: ${file.message}`,
        path,
        ...(await missingHelp(at, name, document.file.path, project, file)),
      }),
    )
    return undefined
  }

  /** Reports a project file that does not apply. */
  ignored(path: string, why: string): void {
    this.diagnostics.push({
      ...fileDiagnostic(path, "PL4034", `this file is ignored: ${why}`),
      severity: "warning",
    })
  }

  private async file(path: string): Promise<SourceFile | Diagnostic> {
    const given = this.texts.get(path)
    return given === undefined ? await readSourceFile(path) : sourceFile(path, given)
  }

  /** Reports a problem of an option or variable, such as `--env prd`. */
  beside(path: string, code: string, given: string, message: string, help?: string): void {
    this.diagnostics.push({
      ...fileDiagnostic(path, code, message),
      given,
      ...(help === undefined ? {} : { help }),
    })
  }
}

/** The file beside a missing one that has nearly its name. */
const missingHelp = async (
  at: string,
  name: string,
  from: string,
  project: string,
  { help }: Diagnostic,
): Promise<{ readonly help: string; readonly fix?: Fix }> => {
  const relativeTo = help ?? `paths are relative to this file's folder, ${folderName(from)}`
  const isOpen = !existsSync(at) && !(await isOutside(dirname(at), project))
  const names = isOpen && existsSync(dirname(at)) ? readdirSync(dirname(at)) : []
  const wanted = basename(name)
  const near = suggest(wanted, names)
  const inFolder = (file: string) => name.slice(0, -wanted.length) + file
  const only = onlyNear(wanted, names)
  return {
    help: near === undefined ? relativeTo : `did you mean "${inFolder(near)}"? ${relativeTo}`,
    ...(only === undefined ? {} : { fix: { value: inFolder(only) } }),
  }
}

const folderName = (file: string): string => relative("", dirname(file)) || "."
