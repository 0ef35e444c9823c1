/** The part of a recording that stays the same in the next one of the command. */

/** Without times and ids of runs, which differ from run to run. */
export const lasting = (text: string): string =>
  text
    .replaceAll(/ *\b[\d.,]+ (?:ms|s)\b/g, " some time")
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "some-run")
