/** Beadloom's name in a tracker: the author of its comments, the assignee of its claims. */
export const ACTOR = 'beadloom'

/** A bead that timed out is `blocked` in its tracker, with this label. */
export const TIMEOUT_LABEL = 'timeout'
/** A bead that failed is `in_progress` in its tracker, with this label and without Beadloom as its assignee. */
export const FAILED_LABEL = 'failed'
