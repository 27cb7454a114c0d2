import type { BoardSearch } from './toolbar/board-search.ts'
import { filterOfSearch } from './toolbar/board-search.ts'
import { facets } from '../../feed/board-filter.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { countText } from '../../ui/time-text.ts'

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
