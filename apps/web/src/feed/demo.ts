import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'

/** Whether a project replays recordings without an AI. In its own file, because the first load needs it. */
export const isDemo = ({ model }: Pick<ProjectView, 'model'>): boolean => model === 'scripted'
