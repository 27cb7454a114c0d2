import { draftStore } from '../../ui/draft-store.ts'

/** What a person has begun to answer, by the execution that asks. Kept in this browser until it is sent. */
const drafts = draftStore<string>(
  'beadloom.answers',
  (value) => (typeof value === 'string' ? value : null),
  () => localStorage,
)

export const loadDraft = (execution: string): string => drafts.get(execution) ?? ''

/** An empty one is none. */
export const saveDraft = (execution: string, text: string): void =>
  text === '' ? drafts.forget(execution) : drafts.keep(execution, text)
