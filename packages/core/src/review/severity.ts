/** The severities of issues, worst first. In a file of its own, because the dashboard loads it without the schemas. */
export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]
