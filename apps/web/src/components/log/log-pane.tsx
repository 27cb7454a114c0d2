import type { Session } from '@beadloom/core/session.ts'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { GoToLine } from './go-to-line.tsx'
import type { Lines } from './line-selection.ts'
import { LineDialog } from './line-dialog.tsx'
import { LogBar } from './log-bar.tsx'
import { copyLines } from './log-copy.ts'
import { LogNotice } from './log-notice.tsx'
import { OutlineMenu, OutlineRail } from './log-outline.tsx'
import css from './log-pane.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { useEndRow } from './use-end-row.ts'
import { useLogErrors } from './use-log-errors.ts'
import { useLogFind } from './use-log-find.ts'
import { useLogKeys } from './use-log-keys.ts'
import { useMinimap } from './use-minimap.ts'
import { useOpenLog } from './use-open-log.ts'
import { useSections } from './use-sections.ts'
import { useSayNews, useSince } from './use-news.ts'
import { useViewChoices } from './view-choices.ts'
import { useMedia } from '../../ui/use-media.ts'
import { countText } from '../../ui/time-text.ts'

type Props = {
  session: Session
  /** What its execution does now ("building the image, step 3 of 7"), for a log that has not begun. */
  activity: string | null
  /** The lines of the permalink, from 0. */
  lines: Lines | null
  onLines: (lines: Lines | null) => void
}

/** The log of one session: the view, and what stands around it. Nothing in here renders with every line. */
export function LogPane({ session, activity, lines, onLines }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState<number | null>(null)
  const [asksLine, setAsksLine] = useState(false)
  const [menu, setMenu] = useState<'download' | null>(null)
  const copy = (chosen: Lines) => copyLines(session.id, chosen, 'plain')
  const events = { onSelect: onLines, onOpen: setOpened, onCopy: copy }
  const { log, view, figures, place } = useOpenLog(session, host, events)
  const [choices, choose] = useViewChoices()
  const firstLine = useRef(0)
  useEffect(() => {
    firstLine.current = place.firstLine
  }, [place.firstLine])
  const from = useCallback(() => firstLine.current, [])
  const find = useLogFind(log, from)
  const errors = useLogErrors(log)
  const sections = useSections(session)

  const wide = useMedia('(min-width: 900px)')
  const outline = {
    sections,
    errors,
    line: place.firstLine,
    onLine: (line: number) => view.current?.goTo(line),
  }

  const isOpen = figures.phase.is === 'open'
  const [first, last] = [lines?.first, lines?.last]
  useEffect(() => {
    if (isOpen) view.current?.select(first === undefined || last === undefined ? null : { first, last })
  }, [first, last, log, isOpen, view])
  useEffect(() => view.current?.setFind(find.find), [find.find, log, view])
  useEffect(() => view.current?.setFilter(find.filter), [find.filter, log, view])
  useEffect(() => view.current?.setWrap(choices.wrap), [choices.wrap, log, view])
  useEffect(() => view.current?.setText(choices), [choices, log, view])
  useEffect(() => view.current?.setSections(sections), [sections, log, view])
  useEffect(() => view.current?.setFoldFinished(choices.foldFinished), [choices.foldFinished, log, view])
  useEffect(() => view.current?.setErrors((n) => errors.hits.has(n)), [errors.hits, errors.version, log, view])
  useEndRow(view, session, figures, log)
  useSince(view, log)
  useMinimap(host, view, { ...place, lines: figures.lines, find, errors })
  const unseenErrors = errors.hits.within(figures.lines - place.unseen, figures.lines)
  useSayNews(place.unseen, unseenErrors)

  const stepError = (by: 1 | -1) => {
    const at = place.selected
      ? place.selected.first
      : by === 1
        ? place.following
          ? -1
          : place.firstLine - 1
        : place.lastLine
    const line = errors.step(by, at)
    if (line !== null) onLines({ first: line, last: line })
  }
  useLogKeys(view, {
    find,
    input,
    selected: place.selected,
    stepError,
    toggleWrap: () => choose('wrap'),
    askLine: () => setAsksLine(true),
    openLine: () => place.selected && setOpened(place.selected.first),
    copy: () => void (place.selected && copy(place.selected)),
    download: () => setMenu('download'),
  })

  return (
    <div className={css['pane']}>
      <LogBar
        session={session.id}
        find={find}
        input={input}
        lines={figures.lines}
        errors={errors}
        onError={stepError}
        choices={choices}
        onChoice={choose}
        download={menu === 'download'}
        onDownload={(open) => setMenu(open ? 'download' : null)}
        onDone={() => view.current?.focus()}
      >
        {!wide && <OutlineMenu {...outline} />}
      </LogBar>
      <div className={css['columns']}>
        {wide && <OutlineRail {...outline} />}
        <div className={css['body']}>
          <div ref={host} className={css['host']} />
          <LogNotice
            session={session}
            activity={activity}
            {...figures}
            filteredOut={find.filter !== null && find.hits.length === 0 && find.state !== 'searching'}
            onRetry={() => void log?.start()}
          />
          {asksLine && (
            <GoToLine
              lines={figures.lines}
              onLine={(n) => onLines({ first: n, last: n })}
              onClose={() => {
                setAsksLine(false)
                view.current?.focus()
              }}
            />
          )}
          {place.selected && (
            <SelectionBar
              session={session.id}
              lines={place.selected}
              onOpen={setOpened}
              onClear={() => view.current?.clearSelection()}
            />
          )}
          {!place.following && figures.lines > 0 && (place.unseen > 0 || !figures.complete) && (
            <button type="button" className={css['pill']} onClick={() => view.current?.toEnd()}>
              <ArrowDown size={16} strokeWidth={1.5} aria-hidden />
              {newsText(place.unseen, unseenErrors)}
            </button>
          )}
        </div>
      </div>
      {opened !== null && <LineDialog session={session.id} line={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

function newsText(unseen: number, errors: number): string {
  if (unseen === 0) return 'Follow'
  const lines = `${countText(unseen)} new ${unseen === 1 ? 'line' : 'lines'}`
  return errors === 0 ? lines : `${lines} · ${countText(errors)} ${errors === 1 ? 'error' : 'errors'}`
}
