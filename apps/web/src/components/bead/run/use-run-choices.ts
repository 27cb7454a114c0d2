import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { defaultRetry } from '@beadloom/core/records/retry.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { useRef, useState } from 'react'
import { asTheProject } from './agent-fields.tsx'
import { freshStartWish, type FreshStartChoice } from './fresh-starts-choice.ts'
import { planningWish, type PlanningChoice } from './planning-choice.ts'
import { ApiFailure } from '../../../api/client.ts'
import { draftOf, problemsOf, readDraft, type RetryProblems } from '../../retry/retry-draft.ts'
import { useSending } from '../../../ui/use-sending.ts'

type Parts = { card: BeadCard; project: ProjectView | undefined; onRun: (body: QueueExecution) => Promise<void> }
export type RunChoices = ReturnType<typeof useRunChoices>

/** A person's choices for one run, and queueing it with them. */
export function useRunChoices({ card, project, onRun }: Parts) {
  // From when the dialog opened: fields must not change under a person's hands.
  const [defaults] = useState(() => project?.retry ?? defaultRetry)
  const [context, setContext] = useState('')
  const [draft, setDraft] = useState(() => draftOf(defaults))
  const [agent, setAgent] = useState(asTheProject)
  const [planning, setPlanning] = useState<PlanningChoice>('usual')
  const [fresh, setFresh] = useState<FreshStartChoice>('usual')
  const [open, setOpen] = useState(false)
  const [refusal, setRefusal] = useState<{ text: string; problems: RetryProblems } | null>(null)
  const fields = useRef<HTMLFormElement>(null)

  const { input, policy, problems: own } = readDraft(draft, defaults)
  const problems = { ...refusal?.problems, ...own }
  const works = agent.agent || (project?.agent ?? '')
  const showProblems = () => {
    setOpen(true)
    requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  const { busy, send } = useSending((error) => {
    const found = error instanceof ApiFailure ? problemsOf(error.details) : {}
    setRefusal({ text: messageOf(error), problems: found })
    if (Object.keys(found).length > 0) showProblems()
  })
  const submit = () => {
    if (busy) return
    if (policy === null) return showProblems()
    void send(() =>
      onRun({
        ...(context.trim() === '' ? {} : { context: context.trim() }),
        ...(agent.agent === '' ? {} : { agent: agent.agent }),
        ...(agent.model.trim() === '' ? {} : { model: agent.model.trim() }),
        ...planningWish(planning, card),
        ...freshStartWish(fresh, works),
        ...input,
      }),
    )
  }
  return {
    fields,
    context,
    setContext,
    agent,
    setAgent,
    works,
    planning,
    setPlanning,
    fresh,
    setFresh,
    retry: {
      draft,
      change: (next: typeof draft) => {
        setDraft(next)
        setRefusal(null)
      },
      reset: () => setDraft(draftOf(defaults)),
      /** Null: the draft has problems. */
      policy,
      isOwn: Object.keys(input).length > 0,
      problems,
      open,
      setOpen,
    },
    /** The server's reason against the run as a whole. */
    refusal: refusal && Object.keys(refusal.problems).length === 0 ? refusal.text : null,
    busy,
    submit,
  }
}
