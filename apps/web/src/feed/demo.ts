import type { ProjectView } from '@beadloom/core/api/api.ts'

/** Its model replays recordings: there is no AI. By itself, because the first load has it. */
export const isDemo = ({ model }: Pick<ProjectView, 'model'>): boolean => model === 'scripted'
