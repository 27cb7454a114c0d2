import type { ExecutionView } from '@beadloom/core/api.ts'
import { isTerminal } from '@beadloom/core/execution.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { attemptRanges } from '../../components/diff/attempt-ranges.ts'
import { DiffBrowser } from '../../components/diff/diff-browser.tsx'
import { useDiff } from '../../components/diff/use-diff.ts'
import { useTargetReview } from '../../components/review/use-reviews.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { PanelMessage } from '../../ui/panel-message.tsx'

const route = getRouteApi('/p/$project/b/$bead')

/** What the newest work of the bead changed, or why there is nothing to see. */
export function DiffPanel({ execution }: { execution: ExecutionView | null }) {
  const { project, bead } = route.useParams()
  const { file, at, range: wanted } = route.useSearch()
  const navigate = route.useNavigate()
  const [ignoreSpace, setIgnoreSpace] = useState(false)
  const ranges = attemptRanges(execution?.verifications ?? [])
  const range = ranges.find(({ attempt }) => attempt === wanted) ?? null
  const live = useDiff(bead, execution, range, ignoreSpace)
  const { review, state } = useTargetReview(project, bead)
  if (execution === null)
    return <PanelMessage title="There is no branch yet">It is made when the bead starts.</PanelMessage>
  if (live.error)
    return (
      <PanelMessage title="The diff could not be read" role="alert">
        <p>{shown(live.error.message)}</p>
        <Button busy={live.busy} onClick={live.again}>
          Try again
        </Button>
      </PanelMessage>
    )
  const { diff } = live
  if (!diff) return <Loading what="the diff" />
  if (diff.files.length === 0 && range === null)
    return (
      <PanelMessage title="Nothing is changed on the branch">
        <p>
          {isTerminal(execution.state)
            ? `Compared ${shown(execution.branch)} with where it started.`
            : 'The agent has not pushed anything yet.'}
        </p>
        <Button busy={live.busy} onClick={live.again}>
          Look again
        </Button>
      </PanelMessage>
    )
  return (
    <DiffBrowser
      key={`${bead} ${range?.attempt}`}
      project={project}
      execution={execution}
      live={{ ...live, diff }}
      review={state.is === 'ended' ? review : null}
      link={{ file, line: at }}
      onLink={(link) =>
        void navigate({ search: (old) => ({ ...old, tab: 'diff', file: link.file, at: link.line }), replace: true })
      }
      ranges={ranges}
      range={range}
      onRange={(attempt) =>
        void navigate({
          search: (old) => ({ ...old, tab: 'diff', range: attempt ?? undefined, file: undefined, at: undefined }),
          replace: true,
        })
      }
      ignoreSpace={ignoreSpace}
      onIgnoreSpace={() => setIgnoreSpace(!ignoreSpace)}
    />
  )
}
