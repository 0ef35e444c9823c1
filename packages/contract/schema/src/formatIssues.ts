/** Formats the issues of a value as the end of a sentence: `it lacks the key "a"; b/0 must be string`. */
/** `whole` is the value itself, in the words of the sentence. */
export const formatIssues = (
  issues: ReadonlyArray<{ readonly path: string; readonly message: string }>,
  whole = "it",
): string =>
  issues.map(({ message, path }) => `${path === "" ? whole : path.slice(1)} ${message}`).join("; ")
