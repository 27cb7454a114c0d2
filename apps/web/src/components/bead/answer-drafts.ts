import { draftStore } from '../../ui/draft-store.ts'

/** Drafts of answers, by the execution that asks. Stored in this browser until sent. */
const drafts = draftStore<string>(
  'beadloom.answers',
  (value) => (typeof value === 'string' ? value : null),
  () => localStorage,
)

export const loadDraft = (execution: string): string => drafts.get(execution) ?? ''

/** An empty draft is deleted. */
export const saveDraft = (execution: string, text: string): void =>
  text === '' ? drafts.forget(execution) : drafts.keep(execution, text)
