import type { Session } from '@beadloom/core/records/session.ts'
import { useCallback, useMemo, type RefObject } from 'react'
import { sectionsAt } from './log-folds.ts'
import { errorCounts, type OutlineProps } from './log-outline.tsx'
import { useSections } from './use-sections.ts'
import type { LogErrors } from '../find/use-log-errors.ts'
import type { LogView, LogViewState } from '../view/log-view.ts'

/** The outline of a log with the section being read, and the errors in each. */
export function useOutline(
  session: Session,
  view: RefObject<LogView | null>,
  { following, firstLine, lastLine }: LogViewState,
  { hits, version }: LogErrors,
): OutlineProps {
  const { sections, toCome } = useSections(session)
  const counts = useMemo(
    () => errorCounts(sections, hits),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `version` stands for what is in `hits`
    [sections, hits, version],
  )
  const here = sectionsAt(sections, following ? lastLine - 1 : firstLine).at(-1)?.first ?? -1
  return { sections, counts, here, onLine: useCallback((line) => view.current?.goTo(line), [view]), toCome }
}
