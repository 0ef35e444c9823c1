/** What stays the same between two recordings of a command. */

/** Without times and ids of runs, which differ from run to run. */
export const lasting = (text: string): string =>
  text
    .replaceAll(/ *\b[\d.,]+ (?:ms|s)\b/g, " some time")
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "some-run")
