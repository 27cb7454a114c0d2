/** What the priorities 0 to 4 mean, as people read them. */
export const priorityWords = ['critical', 'high', 'normal', 'low', 'someday'] as const

/** "P1 high"; a number alone where it is none of these. */
export const priorityText = (priority: number): string => `P${priority} ${priorityWords[priority] ?? ''}`.trimEnd()
