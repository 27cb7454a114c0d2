/** How bad an issue of a review is, the worst first. By itself, because the dashboard wants it without the rest. */
export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]
