/** In the order in which people see them. A file of its own, so that the dashboard loads it without the schemas. */
export const settingSections = [
  'general',
  'repository',
  'runner',
  'limits',
  'models',
  'retries',
  'planning',
  'review',
] as const
export type SettingSection = (typeof settingSections)[number]
