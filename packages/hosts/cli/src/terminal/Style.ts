/** Colors by meaning; each function returns its text unchanged if color is disabled. */

export interface Style {
  readonly color: boolean
  readonly bold: Paint
  readonly dim: Paint
  readonly good: Paint
  readonly bad: Paint
  readonly warn: Paint
  readonly name: Paint
  readonly value: Paint
}

export type Paint = (text: string) => string

const sgr =
  (open: number, close: number): Paint =>
  (text) =>
    text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`

const plain: Paint = (text) => text

const off: Style = {
  color: false,
  bold: plain,
  dim: plain,
  good: plain,
  bad: plain,
  warn: plain,
  name: plain,
  value: plain,
}

const on: Style = {
  color: true,
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  good: sgr(32, 39),
  bad: sgr(31, 39),
  warn: sgr(33, 39),
  name: sgr(36, 39),
  value: sgr(35, 39),
}

export const styleOf = (color: boolean): Style => (color ? on : off)
