import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Scene } from './scene.ts'
import { DiffBrowser } from '../../../components/diff/diff-browser.tsx'
import { codeText } from '../../../components/diff/lines/code-text.ts'
import { useDiff } from '../../../components/diff/use-diff.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { PanelMessage } from '../../../ui/panel-message.tsx'

const route = getRouteApi('/p/$project/b/$bead')

/** An attempt's changes since the previous one; for the first, since the start of the branch. */
export function SceneDiff({ execution, attempt, range }: Pick<Scene, 'execution' | 'attempt' | 'range'>) {
  const { project, bead } = route.useParams()
  const { file, at } = route.useSearch()
  const navigate = route.useNavigate()
  const [ignoreSpace, setIgnoreSpace] = useState(false)
  const live = useDiff(bead, execution, range, ignoreSpace)
  if (range === null)
    return (
      <PanelMessage title="No commit to compare yet">
        <p>What attempt {attempt.number} changed is shown once its work has been checked.</p>
      </PanelMessage>
    )
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
  if (!diff || diff.to !== range.to) return <Loading what="the diff" />
  if (diff.files.length === 0)
    return (
      <PanelMessage title="Nothing changed">
        <p>Attempt {attempt.number} left the same files as the one before.</p>
      </PanelMessage>
    )
  return (
    <DiffBrowser
      key={`${execution.id} ${range.key}`}
      project={project}
      execution={execution}
      live={{ ...live, diff }}
      review={null}
      link={{ file, line: at }}
      onLink={(link) => void navigate({ search: (old) => ({ ...old, file: link.file, at: link.line }), replace: true })}
      lost={null}
      conflict={null}
      ranges={[]}
      range={null}
      onRange={() => undefined}
      narrow
      ignoreSpace={ignoreSpace}
      onIgnoreSpace={() => setIgnoreSpace(!ignoreSpace)}
    />
  )
}
