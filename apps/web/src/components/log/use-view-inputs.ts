import type { LogSection } from '@beadloom/core/api/executions/log-api.ts'
import { useEffect } from 'react'
import type { LogErrors } from './find/use-log-errors.ts'
import type { LogFind } from './find/use-log-find.ts'
import type { Lines } from './lines/line-selection.ts'
import type { OpenLog } from './use-open-log.ts'
import type { useViewChoices } from './view-choices.ts'

type Inputs = {
  /** The lines of the permalink. */
  lines: Lines | null
  find: LogFind
  choices: ReturnType<typeof useViewChoices>[0]
  sections: readonly LogSection[]
  errors: LogErrors
}

/** Tells the view, which is outside of React, what a person chose and what was found. */
export function useViewInputs({ log, view, figures }: OpenLog, inputs: Inputs): void {
  const { lines, find, choices, sections, errors } = inputs
  const isOpen = figures.phase.is === 'open'
  const [first, last] = [lines?.first, lines?.last]
  useEffect(() => {
    if (isOpen) view.current?.select(first === undefined || last === undefined ? null : { first, last })
  }, [first, last, log, isOpen, view])
  useEffect(() => view.current?.setFind(find.find), [find.find, log, view])
  useEffect(() => view.current?.setFilter(find.filter), [find.filter, log, view])
  useEffect(() => view.current?.setWrap(choices.wrap), [choices.wrap, log, view])
  const times = choices.times ? (choices.utc ? 'utc' : 'local') : null
  useEffect(() => view.current?.setTimes(times), [times, log, view])
  useEffect(() => view.current?.setText(choices), [choices, log, view])
  useEffect(() => view.current?.folding.setSections(sections), [sections, log, view])
  useEffect(() => view.current?.folding.setFoldFinished(choices.foldFinished), [choices.foldFinished, log, view])
  useEffect(() => view.current?.setErrors((n) => errors.hits.has(n)), [errors.hits, errors.version, log, view])
}
