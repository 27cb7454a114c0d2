import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { useState } from 'react'
import { draftOf, forgetDraft, keepDraft, type TextField } from './edit-drafts.ts'
import { useEdit } from './use-edit.ts'
import { ApiFailure } from '../../../api/client.ts'
import { useSending } from '../../../ui/use-sending.ts'

type Parts = { bead: BeadView; field: TextField; now: string; onClose: () => void }
export type TextDraft = {
  text: string
  change(text: string): void
  discard(): void
  /** Saves it; `mine`: over the text that somebody else has saved meanwhile. */
  submit(over?: 'mine'): void
  busy: boolean
  /** `changed`: somebody else was faster. */
  problem: { text: string; changed: boolean } | null
}

/** A text of a bead as typed, kept until it is saved or discarded. */
export function useTextDraft({ bead, field, now, onClose }: Parts): TextDraft {
  const [draft, setDraft] = useState(() => draftOf(bead, field) ?? { was: now, text: now })
  const [problem, setProblem] = useState<TextDraft['problem']>(null)
  const { save, again } = useEdit(bead)
  const { busy, send } = useSending((error) => {
    const changed = error instanceof ApiFailure && error.code === 'changed'
    const tell = () => setProblem({ text: messageOf(error), changed })
    if (changed) void again().then(tell)
    else tell()
  })
  const change = (text: string) => {
    const next = { ...draft, text }
    setDraft(next)
    keepDraft(bead, field, next)
    setProblem(null)
  }
  const discard = () => {
    forgetDraft(bead, field)
    onClose()
  }
  const submit = (over?: 'mine') => {
    if (draft.text === now) return discard()
    if (field === 'title' && draft.text.trim() === '') return setProblem({ text: 'Enter a title.', changed: false })
    void send(async () => {
      await save({ [field]: { was: over === 'mine' ? now : draft.was, to: draft.text } })
      discard()
    })
  }
  return { text: draft.text, change, discard, submit, busy, problem }
}
