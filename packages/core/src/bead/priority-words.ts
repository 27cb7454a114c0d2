/** The priorities 0 to 4 in words for people. */
export const priorityWords = ['critical', 'high', 'normal', 'low', 'someday'] as const

/** "P1 high"; any other priority is the number alone. */
export const priorityText = (priority: number): string => `P${priority} ${priorityWords[priority] ?? ''}`.trimEnd()
