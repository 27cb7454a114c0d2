import { messageOf } from '@beadloom/core/text/message-of.ts'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState, type RefObject } from 'react'
import { beadOf, draftOf, emptyDraft, forgetDraft, keepDraft, type BeadDraft } from './new-bead-draft.ts'
import { addBead, getBead, pressKey, queueExecution } from '../../../api/endpoints.ts'
import { useDependsOn } from '../../../components/fields/depends-on-field.tsx'
import { toast, toastError } from '../../../ui/toast.tsx'
import { useSending, type Sending } from '../../../ui/use-sending.ts'

export type NewBead = Pick<Sending, 'busy' | 'problem'> & {
  draft: BeadDraft
  change(part: Partial<BeadDraft>): void
  clear(): void
  dependsOn: ReturnType<typeof useDependsOn>
  titleField: RefObject<HTMLInputElement | null>
  /** The person tried to create it without a title. */
  noTitle: boolean
  submit(andRun: boolean): void
}

/** A bead as typed, kept when its dialog is closed, and creating it. */
export function useNewBead(project: string, onClose: () => void): NewBead {
  const [draft, setDraft] = useState(() => draftOf(project))
  const { busy, problem, send } = useSending()
  const [noTitle, setNoTitle] = useState(false)
  const titleField = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const change = (part: Partial<BeadDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    keepDraft(project, next)
    if (part.title !== undefined) setNoTitle(false)
  }
  const dependsOn = useDependsOn({
    project,
    own: null,
    value: draft.dependsOn,
    onChange: (ids) => change({ dependsOn: ids }),
  })
  // Each press creates a single bead, even if the answer was lost; a changed text creates another.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new name for each text
  const key = useMemo(pressKey, [draft, dependsOn.typed])
  const submit = (andRun: boolean) => {
    if (busy) return
    if (draft.title.trim() === '') {
      setNoTitle(true)
      titleField.current?.focus()
      return
    }
    const ids = dependsOn.all()
    if (ids === null) return
    void send(async () => {
      const bead = await addBead(project, beadOf({ ...draft, dependsOn: ids }), key)
      forgetDraft(project)
      const open = {
        label: 'Open',
        run: () => void navigate({ to: '/p/$project/b/$bead', params: { project, bead: bead.id } }),
      }
      if (!andRun) toast(`${bead.id} created`, { action: open })
      else
        await queueExecution(project, bead.id, {}, pressKey()).then(
          () => toast(`${bead.id} created and queued`, { action: open }),
          async (error: unknown) =>
            (await hasBegun(project, bead.id))
              ? toast(`${bead.id} created and queued`, { action: open })
              : toastError(`${bead.id} was created, but cannot run yet: ${messageOf(error)}`),
        )
      onClose()
    })
  }
  const clear = () => {
    forgetDraft(project)
    setDraft(emptyDraft)
    dependsOn.type('')
    titleField.current?.focus()
  }
  return { busy, problem, draft, change, clear, dependsOn, titleField, noTitle, submit }
}

/** Autopilot may be faster than the second request; then the bead runs as wanted. */
const hasBegun = (project: string, id: string): Promise<boolean> =>
  getBead(project, id, AbortSignal.timeout(BEGUN_MS)).then(
    ({ executions }) => executions.length > 0,
    () => false,
  )
const BEGUN_MS = 5_000
