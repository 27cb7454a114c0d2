import { Link } from '@tanstack/react-router'
import { CircleX } from 'lucide-react'
import css from './graph-page.module.css'
import type { GraphSearch } from './graph-search.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'

/** Further ones are only counted. */
const MOST = 3
/** A longer cycle is shown without its middle. */
const MOST_IN_PATH = 6

/** Beads that wait for themselves: each cycle, with links to its beads. */
export function GraphCycles({
  project,
  cycles,
  search,
}: {
  project: string
  cycles: readonly string[][]
  search: GraphSearch
}) {
  return (
    <div role="alert" className={css['cycles']}>
      <CircleX size={16} strokeWidth={1.75} aria-hidden />
      <div>
        <p>
          {counted(cycles.length, 'cycle')}: these beads wait for each other and can never start. Open one and remove
          what it waits for.
        </p>
        <ul>
          {cycles.slice(0, MOST).map((path) => (
            <li key={path.join(' ')}>
              {shortened(path).map((id, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- a way ends where it begins
                <span key={at}>
                  {at > 0 && ' → '}
                  {id === null ? (
                    '…'
                  ) : (
                    <Link to="/p/$project/graph" params={{ project }} search={{ ...search, bead: id, open: undefined }}>
                      {shown(id)}
                    </Link>
                  )}
                </span>
              ))}
              {path.length > MOST_IN_PATH && ` (${path.length - 1} beads)`}
            </li>
          ))}
          {cycles.length > MOST && <li>and {cycles.length - MOST} more</li>}
        </ul>
      </div>
    </div>
  )
}

const shortened = (path: readonly string[]): readonly (string | null)[] =>
  path.length <= MOST_IN_PATH ? path : [...path.slice(0, MOST_IN_PATH - 1), null, path.at(-1) ?? null]
