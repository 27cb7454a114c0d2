import type { SettingField } from '@beadloom/core/api/settings/settings-api.ts'
import { useState } from 'react'
import { same, valueText, withoutSaved, type SettingsDraft } from './settings-draft.ts'

type View = { revision: number | string; fields: readonly SettingField[] }

/**
 * Typed values, with the settings as read when typing began: changes by others since then are shown, not overwritten.
 */
export function useDraft<V extends View>(view: V | undefined) {
  const [draft, setDraft] = useState<SettingsDraft>({})
  const [base, setBase] = useState<V | null>(null)
  const [accepted, setAccepted] = useState<V | null>(null)
  const editing = Object.keys(draft).length > 0
  return {
    draft,
    editing,
    /** The revision on which a change is based. */
    revision: (editing ? (accepted ?? base ?? view) : view)?.revision,
    meanwhile: !editing || base === null || view === undefined ? [] : meanwhile(base, view),
    change(next: SettingsDraft) {
      if (!editing && view !== undefined) setBase(view)
      if (Object.keys(next).length === 0) {
        setBase(null)
        setAccepted(null)
      }
      setDraft(next)
    },
    /** Saved values leave the draft. What was typed since they were sent, stays: saving may take seconds. */
    saved(keys: readonly string[], now: V) {
      setDraft((typed) => withoutSaved(typed, draft, keys))
      setBase(now)
      setAccepted(null)
    },
    /** Accepts a change by somebody who was faster, once it was shown: the next save is based on it. */
    accept(now: V) {
      setAccepted(now)
    },
  }
}

/** Values that differ from when typing began, as sentences. */
export function meanwhile(before: View, now: View): string[] {
  return now.fields.flatMap((field) => {
    const was = before.fields.find(({ key }) => key === field.key)
    return was === undefined || same(was.value, field.value)
      ? []
      : [`${field.label}: ${valueText(was, was.value)} → ${valueText(field, field.value)}`]
  })
}
