import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { filterOfSearch } from '@beadloom/core/board/board-search.ts'
import { facets } from '@beadloom/core/board/board-filter.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { Plus } from 'lucide-react'
import { counted } from '@beadloom/core/text/count-text.ts'

type Props = { project: string; total: number; search: BoardSearch; onClear: () => void }

/** Shown if no bead matches: the filter, and how to clear it. */
export function NothingFound({ project, total, search, onClear }: Props) {
  const { words, on } = filterOfSearch(search)
  const what = [
    ...(words === '' ? [] : [`“${words}”`]),
    ...facets.flatMap((facet) => (on[facet].length === 0 ? [] : [`${facet} ${on[facet].join(' or ')}`])),
  ]
  return (
    <PanelMessage title="No beads match">
      <p>
        0 of {counted(total, 'bead')}: {shown(what.join(', '))}
      </p>
      <Button onClick={onClear}>Clear all filters</Button>
      <p>List all of them in a terminal:</p>
      <pre>{`beadloom beads -p ${shown(project)}`}</pre>
    </PanelMessage>
  )
}

/** The board of a project without beads. */
export const NoBeads = ({ project, onNew }: { project: string; onNew: () => void }) => (
  <PanelMessage title="This project has no beads yet">
    <p>A bead is one task: a title, and what should change.</p>
    <Button needs="runner" look="primary" icon={<Plus size={16} strokeWidth={1.5} aria-hidden />} onClick={onNew}>
      New bead
    </Button>
    <p>Or in a terminal:</p>
    <pre>{`beadloom beads create "Describe what should change" -p ${shown(project)}`}</pre>
  </PanelMessage>
)
