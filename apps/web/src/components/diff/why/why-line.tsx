import type { StepPlace, WhyView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import css from './why-line.module.css'
import { getWhy } from '../../../api/endpoints.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

export type AskedLine = { path: string; line: number; text: string }

type Props = { execution: Pick<ExecutionView, 'id' | 'project' | 'bead' | 'redGreen'>; asked: AskedLine }

/** The agent's step that wrote the marked line, as far as the logs tell. */
export function WhyLine({ execution, asked: { path, line, text } }: Props) {
  const { data, error } = useQuery({
    queryKey: ['why', execution.id, path, text],
    queryFn: ({ signal }) => getWhy(execution.id, path, text, signal),
    staleTime: 10_000,
  })
  const step = (to: StepPlace, words: string) => (
    <Link
      key={`${to.session} ${to.line}`}
      to="/p/$project/b/$bead"
      params={{ project: execution.project, bead: execution.bead }}
      search={{ tab: 'output', session: to.session, line: to.line + 1 }}
    >
      {words}
    </Link>
  )
  return (
    <p className={css['why']} role="status">
      <code>
        {shown(path.split('/').at(-1) ?? path)}:{line}
      </code>
      {error ? (
        <span>{error.message}</span>
      ) : data === undefined ? (
        <span>Looking for the step that wrote it…</span>
      ) : (
        <Answer why={data} step={step} />
      )}
      <Tests execution={execution} />
    </p>
  )
}

/** Without coverage, we know only which tests fail without the whole change, not which cover this line. */
function Tests({ execution: { project, bead, redGreen } }: Pick<Props, 'execution'>) {
  if (redGreen === undefined || (redGreen.is !== 'red' && redGreen.is !== 'partly')) return null
  return (
    <>
      <span>The change has {shown(redGreen.text)}.</span>
      {redGreen.session !== null && (
        <Link to="/p/$project/b/$bead" params={{ project, bead }} search={{ tab: 'output', session: redGreen.session }}>
          Show these tests
        </Link>
      )}
    </>
  )
}

function Answer({ why, step }: { why: WhyView; step: (to: StepPlace, words: string) => ReactNode }) {
  const { by, sure, perhaps } = why
  if (by !== null)
    return (
      <>
        <span>{sure ? `Written in attempt ${by.attempt}.` : `Last known to be written in attempt ${by.attempt}.`}</span>
        {step(by, 'Show the step')}
      </>
    )
  if (perhaps.length === 0) return <span>No known step wrote it; a command may have.</span>
  return (
    <>
      <span>The log has too little to tell. Edits of this file, newest first:</span>
      {perhaps.map((one) => step(one, `attempt ${one.attempt}, line ${one.line + 1}`))}
    </>
  )
}
