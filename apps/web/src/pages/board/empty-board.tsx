import type { BoardSearch } from './toolbar/board-search.ts'
import { filterOfSearch } from './toolbar/board-search.ts'
import { facets } from '../../feed/board-filter.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { countText } from '../../ui/count-text.ts'
import { Plus } from 'lucide-react'

type Props = { project: string; total: number; search: BoardSearch; onClear: () => void }

/** A filter that leaves nothing says so, and what to do. */
export function NothingFound({ project, total, search, onClear }: Props) {
  const { words, on } = filterOfSearch(search)
  const what = [
    ...(words === '' ? [] : [`“${words}”`]),
    ...facets.flatMap((facet) => (on[facet].length === 0 ? [] : [`${facet} ${on[facet].join(' or ')}`])),
  ]
  return (
    <PanelMessage title={`0 of ${countText(total)} beads: ${shown(what.join(', '))}`}>
      <p>Nothing is lost: the filter leaves all of them out.</p>
      <Button onClick={onClear}>Clear all filters</Button>
      <p>In a terminal all of them are listed by:</p>
      <pre>{`beadloom beads -p ${shown(project)}`}</pre>
    </PanelMessage>
  )
}

/** The board of a project that has nothing to do yet. */
export const NoBeads = ({ project, onNew }: { project: string; onNew: () => void }) => (
  <PanelMessage title="This project has no beads yet">
    <p>A bead is one task: a title, and what should be different when it is done.</p>
    <Button look="primary" icon={<Plus size={16} strokeWidth={1.5} aria-hidden />} onClick={onNew}>
      New bead
    </Button>
    <p>Or in a terminal:</p>
    <pre>{`beadloom beads create "Describe what should change" -p ${shown(project)}`}</pre>
  </PanelMessage>
)
