/** Whether a file is an office document, by its ending. */
export const isDocument = (path: string): boolean => /\.(?:docx|xlsx|pptx|odt|ods|odp)$/i.test(path)
