import { messageTimes, type MessageTime } from '@beadloom/core/records/message.ts'
import { draftStore, hasTexts } from '../../../ui/draft-store.ts'

export type MessageDraft = { text: string; when: MessageTime }

export const noDraft: MessageDraft = { text: '', when: 'step' }

/** Drafts of messages, by the execution whose agent they are for. Stored in this browser until sent. */
const drafts = draftStore<MessageDraft>(
  'beadloom.messages',
  (value) => {
    if (!hasTexts(value, 'text', 'when')) return null
    const when = messageTimes.find((one) => one === value.when)
    return when === undefined ? null : { text: value.text, when }
  },
  () => localStorage,
)

export const loadDraft = (execution: string): MessageDraft => drafts.get(execution) ?? noDraft

/** A draft without text is deleted. */
export const saveDraft = (execution: string, draft: MessageDraft): void =>
  draft.text === '' ? drafts.forget(execution) : drafts.keep(execution, draft)
