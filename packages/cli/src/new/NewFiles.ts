/** The files of a new package, by path from its folder. */
export interface NewFiles {
  readonly [path: string]: string
}
