import type { NewBead } from '@beadloom/core/api/requests.ts'

/** What has been typed. */
export type BeadDraft = {
  title: string
  description: string
  priority: number
  type: string
  /** Separated by commas. */
  labels: string
  dependsOn: readonly string[]
}

export const beadTypes = ['task', 'bug', 'feature', 'chore', 'epic'] as const

export const emptyDraft: BeadDraft = {
  title: '',
  description: '',
  priority: 2,
  type: 'task',
  labels: '',
  dependsOn: [],
}

/** By project, while the page lives: a dialog that was closed by a slip has lost nothing. */
const kept = new Map<string, BeadDraft>()

export const draftOf = (project: string): BeadDraft => kept.get(project) ?? emptyDraft
export const keepDraft = (project: string, draft: BeadDraft): void => void kept.set(project, draft)
export const forgetDraft = (project: string): void => void kept.delete(project)

/** As the server takes it. */
export function beadOf({ title, description, priority, type, labels, dependsOn }: BeadDraft): NewBead {
  const names = [...new Set(labels.split(',').map((one) => one.trim()))].filter((one) => one !== '')
  return {
    title: title.trim(),
    description,
    priority,
    type,
    ...(names.length === 0 ? {} : { labels: names }),
    ...(dependsOn.length === 0 ? {} : { dependsOn: [...dependsOn] }),
  }
}
