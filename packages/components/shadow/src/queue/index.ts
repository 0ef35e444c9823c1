/** The review queue: its items, what people decide on them, and what follows from the decisions. */
export { withMadeUpData } from "./madeUpData.ts"
export { differenceOf, repliesFor, reviewCases, type DecidedReview } from "./reviewCases.ts"
export { reviewFigures, type ReviewerFigures } from "./reviewFigures.ts"
export {
  REVIEWS,
  type QueuedReview,
  type ReviewDecision,
  type ReviewItem,
  type ReviewState,
} from "./ReviewItem.ts"
export { ReviewQueue, type PrunedReviews, type Refusal } from "./ReviewQueue.ts"
