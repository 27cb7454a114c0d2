import type { NewBead } from '@beadloom/core/api/beads/bead-requests.ts'
import { draftStore, hasTexts } from '../../../ui/draft-store.ts'

/** The typed values. */
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

/** Drafts by project. */
const drafts = draftStore<BeadDraft>('beadloom.new-beads', (value) => (isDraft(value) ? value : null))

const isDraft = (value: unknown): value is BeadDraft =>
  hasTexts(value, 'title', 'description', 'type', 'labels') &&
  'priority' in value &&
  typeof value.priority === 'number' &&
  'dependsOn' in value &&
  Array.isArray(value.dependsOn)

export const draftOf = (project: string): BeadDraft => drafts.get(project) ?? emptyDraft
export const keepDraft = (project: string, draft: BeadDraft): void => drafts.keep(project, draft)
export const forgetDraft = (project: string): void => drafts.forget(project)

/** The draft in the form that the server takes. */
export function beadOf({ title, description, priority, type, labels, dependsOn }: BeadDraft): NewBead {
  const names = [...new Set(labels.split(',').map((one) => one.trim()))].filter((one) => one !== '')
  return {
    title: title.trim(),
    description,
    priority,
    type: beadTypes.find((one) => one === type) ?? 'task', // a draft is kept in the browser
    ...(names.length === 0 ? {} : { labels: names }),
    ...(dependsOn.length === 0 ? {} : { dependsOn: [...dependsOn] }),
  }
}
