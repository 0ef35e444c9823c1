/** The reason for which documents cannot be searched: one sentence for a person. */
export class DocumentsFailed extends Error {}
