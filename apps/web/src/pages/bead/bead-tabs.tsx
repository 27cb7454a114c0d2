import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import css from './bead-page.module.css'
import type { BeadTab } from './bead-search.ts'
import { useTabInSight } from './tab-in-sight.ts'
import { DiffTotals } from '../../components/diff/files/diff-totals.tsx'

export const tabWords: Record<BeadTab, string> = {
  output: 'Output',
  plan: 'Plan',
  diff: 'Diff',
  attempts: 'Attempts',
  review: 'Review',
  info: 'Info',
}

type Props = {
  tabs: readonly BeadTab[]
  tab: BeadTab
  onTab: (tab: BeadTab) => void
  /** The newest execution of any kind, and the newest one that has worked. */
  newest: ExecutionView | null
  worked: ExecutionView | null
  /** Open issues of the newest review. */
  issues: number
}

/** The tabs of a bead, each with its most important number. */
export function BeadTabs({ tabs, tab, onTab, newest, worked, issues }: Props) {
  const ref = useTabInSight(tab)
  return (
    <div ref={ref} className={css['tabs']} role="tablist" aria-label="Bead views">
      {tabs.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`tab-${one}`}
          aria-selected={one === tab}
          aria-controls="bead-panel"
          className={css['tab']}
          onClick={() => onTab(one)}
        >
          {tabWords[one]}
          {one === 'plan' && newest?.progress !== undefined && (
            <span className={css['count']}>
              {newest.progress.phase}/{newest.progress.of}
              <span className="visually-hidden"> phases</span>
            </span>
          )}
          {one === 'diff' && worked && (
            <span className={css['totals']}>
              <DiffTotals execution={worked} />
            </span>
          )}
          {one === 'review' && issues > 0 && (
            <span className={css['count']}>
              {issues}
              <span className="visually-hidden"> open issues</span>
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
