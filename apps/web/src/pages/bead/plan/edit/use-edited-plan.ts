import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { readPlan } from '@beadloom/core/plan/read-plan.ts'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { draftFor, dropDraft, keepDraft } from './draft-memory.ts'
import { draftOf, isChanged, planOf, type PlanDraft } from './plan-draft.ts'
import { ApiFailure } from '../../../../api/client.ts'
import { getPlan, putPlan } from '../../../../api/plans.ts'
import { toast } from '../../../../ui/toast.tsx'
import { useSending } from '../../../../ui/use-sending.ts'

const route = getRouteApi('/p/$project/b/$bead')

export type EditedPlan = {
  draft: PlanDraft
  change(next: PlanDraft): void
  /** In the server's words: the code is the same. */
  problems: readonly string[]
  dirty: boolean
  /** The newest version. If it is above that of the draft, somebody else was faster. */
  newest: number
  busy: boolean
  /** The server's reason for not saving it. */
  refusal: string | null
  save(): void
  /** Gives the draft up for the version that somebody else has saved. */
  takeTheirs(): void
  close(): void
}

/** A version of a plan as typed, and saving it as the next one. */
export function useEditedPlan(bead: BeadView, plan: PlanView, onClose: () => void): EditedPlan {
  const [draft, setDraft] = useState<PlanDraft>(() => draftFor(bead) ?? draftOf(plan))
  const { busy, problem: refusal, setProblem: setRefusal, send } = useSending()
  /** The version that somebody else has saved in the meantime, discovered by a refused save. */
  const [found, setFound] = useState(0)
  const queries = useQueryClient()
  const navigate = route.useNavigate()

  const read = readPlan(planOf(draft))
  const problems = 'problems' in read ? read.problems : []
  const newest = Math.max(found, bead.plan?.version ?? 0)
  const dirty = isChanged(draft)

  // The bead is another object with each frame of the feed.
  const keep = useEffectEvent(() => (dirty ? keepDraft(bead, draft) : dropDraft(bead)))
  useEffect(() => keep(), [dirty, draft, bead.project, bead.id])
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])

  const change = (next: PlanDraft) => {
    setDraft(next)
    setRefusal(null)
  }
  const close = () => {
    dropDraft(bead)
    onClose()
  }
  const done = (saved: PlanView) => {
    // The feed may report it only after this.
    for (const head of [bead.plan, { version: saved.version, approved: saved.approvedAt !== null }])
      queries.setQueryData(
        ['plan', bead.project, bead.id, saved.version, head?.version ?? 0, head?.approved ?? false],
        saved,
      )
    toast(`Saved as version ${saved.version}`)
    void navigate({ search: (old) => ({ ...old, plan: saved.version, item: undefined }), replace: true })
    close()
  }
  const save = async () => {
    if (!('plan' in read)) return
    try {
      done(await putPlan(bead.project, bead.id, read.plan, draft.onto))
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 409)) throw error
      // If the answer to a first try was lost, there is no conflict: then the newest version is this very plan.
      const other = await getPlan(bead.project, bead.id, undefined).catch(() => null)
      const same = other && JSON.stringify(planOf(draftOf(other))) === JSON.stringify(read.plan)
      if (same) return done(other)
      setFound(other?.version ?? draft.onto + 1)
    }
  }
  const takeTheirs = async () => {
    const other = await getPlan(bead.project, bead.id, undefined)
    void navigate({ search: (old) => ({ ...old, plan: other.version }), replace: true })
    change(draftOf(other))
  }
  return {
    draft,
    change,
    problems,
    dirty,
    newest,
    busy,
    refusal,
    save: () => void send(save),
    takeTheirs: () => void send(takeTheirs),
    close,
  }
}
