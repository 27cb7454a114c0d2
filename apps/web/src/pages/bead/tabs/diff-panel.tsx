import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { attemptRanges } from '../../../components/diff/diff-ranges.ts'
import { codeText } from '../../../components/diff/lines/code-text.ts'
import { CommitsChecked } from '../../../components/diff/commit-list.tsx'
import { DiffBrowser } from '../../../components/diff/diff-browser.tsx'
import { diffRanges, rangeOf } from '../../../components/diff/diff-ranges.ts'
import { useBranch } from '../../../components/diff/use-diff.ts'
import { useDiff } from '../../../components/diff/use-diff.ts'
import { useTargetReview } from '../../../components/review/use-reviews.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { PanelMessage } from '../../../ui/panel-message.tsx'

const route = getRouteApi('/p/$project/b/$bead')

/** The changes of the bead's newest work, or why there are none to see. */
export function DiffPanel({ execution }: { execution: ExecutionView | null }) {
  const { project, bead } = route.useParams()
  const { file, at, range: attempt, commit } = route.useSearch()
  const navigate = route.useNavigate()
  const [ignoreSpace, setIgnoreSpace] = useState(false)
  const [tip, setTip] = useState<string | null>(null)
  const { branch, loading } = useBranch(execution, tip)
  const ranges = diffRanges(attemptRanges(execution?.verifications ?? []), branch?.commits ?? [])
  const range = rangeOf(ranges, { range: attempt, commit })
  const live = useDiff(bead, execution, range, ignoreSpace)
  const { review, state } = useTargetReview(project, bead)
  const newest = live.newest?.diff.to ?? null
  if (newest !== tip) setTip(newest)
  if (execution === null)
    return <PanelMessage title="No branch yet">The branch is created when the bead starts.</PanelMessage>
  if (live.error)
    return (
      <PanelMessage title="The diff could not be loaded" role="alert">
        <pre>{live.error.message.split('\n').map(codeText).join('\n')}</pre>
        <Button busy={live.busy} onClick={live.again}>
          Try again
        </Button>
      </PanelMessage>
    )
  const { diff } = live
  // A linked commit may be on the branch: the list of commits will tell.
  if (!diff || (commit !== undefined && loading)) return <Loading what="the diff" />
  if (diff.files.length === 0 && range === null)
    return (
      <PanelMessage title="No changes on the branch">
        {!isTerminal(execution.state) && <p>The agent has not pushed anything yet.</p>}
        {branch !== null && <CommitsChecked branch={branch} name={execution.branch} />}
        <Button busy={live.busy} onClick={live.again}>
          Refresh
        </Button>
      </PanelMessage>
    )
  return (
    <DiffBrowser
      key={`${bead} ${range?.key}`}
      project={project}
      execution={execution}
      live={{ ...live, diff }}
      review={state.is === 'ended' ? review : null}
      link={{ file, line: at }}
      onLink={(link) =>
        void navigate({ search: (old) => ({ ...old, tab: 'diff', file: link.file, at: link.line }), replace: true })
      }
      lost={range === null ? (commit ?? (attempt === undefined ? null : `attempt ${attempt}`)) : null}
      conflict={branch?.conflict ?? null}
      ranges={ranges}
      range={range}
      onRange={(name) =>
        void navigate({
          search: (old) => ({
            ...old,
            tab: 'diff',
            range: name?.range,
            commit: name?.commit,
            file: undefined,
            at: undefined,
          }),
          replace: true,
        })
      }
      ignoreSpace={ignoreSpace}
      onIgnoreSpace={() => setIgnoreSpace(!ignoreSpace)}
    />
  )
}
