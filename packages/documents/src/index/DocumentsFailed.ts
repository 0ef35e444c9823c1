/** Why documents cannot be searched: one sentence for a person. */
export class DocumentsFailed extends Error {}
