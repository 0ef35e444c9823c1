/** Finds the run of characters with which a text ends, such as a word that more text may lengthen. */

/**
 * Start of the run, or the text's length without a run. `run` is sticky and looks behind with one group, such as
 * `/(?<=(\w{0,64}))/y`: it reads backwards, and so only the run.
 */
export const runStart = (text: string, run: RegExp): number => {
  run.lastIndex = text.length
  return text.length - run.exec(text)![1]!.length
}
