import type { Session } from '@beadloom/core/records/session.ts'
import { ArrowDown } from 'lucide-react'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Lines } from './lines/line-selection.ts'
import { LogBar } from './log-bar.tsx'
import { copyLines } from './lines/log-copy.ts'
import { LogNotice } from './log-notice.tsx'
// Not loaded later: digits typed before it arrives would be keys of the page.
import { GoToLine } from './go-to-line.tsx'
import { sectionsAt } from './folds/log-folds.ts'
import { errorCounts, OutlineMenu, OutlineRail } from './folds/log-outline.tsx'
import css from './log-pane.module.css'
import { useEndRow } from './end-row.ts'
import { useIsWide } from '../../ui/use-media.ts'
import { useLogErrors } from './find/use-log-errors.ts'
import type { FindAcross } from './find/find-across.ts'
import { useLogFind } from './find/use-log-find.ts'
import { useLogKeys } from './use-log-keys.ts'
import { useMinimap } from './view/minimap.ts'
import { useOpenLog } from './use-open-log.ts'
import { useSections } from './folds/use-sections.ts'
import { useSayNews, useSince } from './use-news.ts'
import { useViewChoices } from './view-choices.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

/** In a narrower pane, the bar's tools would need a second row. */
const BAR_PX = 560

/** Loaded later: few people need it, and the page's size is limited. */
const selectionBar = lazyPart(async () => (await import('./selection-bar.tsx')).SelectionBar)
const lineDialog = lazyPart(async () => (await import('./lines/line-dialog.tsx')).LineDialog)

type Props = {
  session: Session
  /** The present step of its execution ("building the image, step 3 of 7"), for a log that has not begun. */
  activity: string | null
  /** The lines of the permalink, counted from 0. */
  lines: Lines | null
  onLines: (lines: Lines | null) => void
  /** Shown at the start of the bar. */
  lead?: ReactNode
  across?: FindAcross | null
}

/** The log of one session: the view and everything around it. New lines cause no rendering in React. */
export function LogPane({ session, activity, lines, onLines, lead, across = null }: Props) {
  const pane = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState<number | null>(null)
  const [asksLine, setAsksLine] = useState(false)
  const [menu, setMenu] = useState<'download' | null>(null)
  const copy = (chosen: Lines) => copyLines(session.id, chosen, 'plain')
  const events = { onSelect: onLines, onOpen: setOpened, onCopy: copy }
  const { log, view, figures, place } = useOpenLog(session, host, events)
  const [choices, choose] = useViewChoices()
  const from = useCallback(() => view.current?.state.firstLine ?? 0, [view])
  const find = useLogFind(log, from, session.id, across)
  const errors = useLogErrors(log, (line) => onLines({ first: line, last: line }))
  const { sections, toCome } = useSections(session)

  const wide = useIsWide(pane)
  const roomy = useIsWide(pane, BAR_PX)
  const goTo = useCallback((line: number) => view.current?.goTo(line), [view])
  const here = sectionsAt(sections, place.following ? place.lastLine - 1 : place.firstLine).at(-1)?.first ?? -1
  const counts = useMemo(
    () => errorCounts(sections, errors.hits),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `version` stands for what is in `hits`
    [sections, errors.hits, errors.version],
  )
  const outline = { sections, counts, here, onLine: goTo, toCome }

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
  useEndRow(view, session, figures, log)
  useSince(view, log)
  useMinimap(host, view, { ...place, lines: figures.lines, find, errors })
  const unseenErrors = errors.hits.within(figures.lines - place.unseen, figures.lines)
  useSayNews(place.unseen, unseenErrors)

  const stepError = (by: 1 | -1) => {
    const now = view.current?.state
    if (!now) return
    const { selected, following, firstLine, lastLine } = now
    errors.step(by, selected ? selected.first : by === -1 ? lastLine : following ? -1 : firstLine - 1)
  }
  useLogKeys(view, {
    find,
    input,
    selected: place.selected,
    stepError,
    toggleWrap: () => choose('wrap'),
    toggleTimes: () => choose('times'),
    askLine: () => setAsksLine(true),
    openLine: () => setOpened(view.current?.choice.lines?.first ?? null),
    copy: () => {
      const chosen = view.current?.choice.lines
      if (chosen) copy(chosen)
    },
    download: () => setMenu('download'),
  })

  return (
    <div ref={pane} className={css['pane']}>
      <LogBar
        session={session.id}
        find={find}
        input={input}
        lines={figures.lines}
        errors={errors}
        onError={stepError}
        choices={choices}
        onChoice={choose}
        narrow={!roomy}
        download={menu === 'download'}
        onDownload={(open) => setMenu(open ? 'download' : null)}
        onDone={() => view.current?.focus()}
        lead={lead}
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
            <Suspense fallback={null}>
              <selectionBar.Part
                session={session.id}
                lines={place.selected}
                onOpen={setOpened}
                onClear={() => view.current?.choice.clear()}
              />
            </Suspense>
          )}
          {!place.following && figures.lines > 0 && (place.unseen > 0 || !figures.complete) && (
            <button type="button" className={css['pill']} onClick={() => view.current?.moves.toEnd()}>
              <ArrowDown size={16} strokeWidth={1.5} aria-hidden />
              {newsText(place.unseen, unseenErrors)}
            </button>
          )}
        </div>
      </div>
      {opened !== null && (
        <Suspense fallback={null}>
          <lineDialog.Part session={session.id} line={opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </div>
  )
}

function newsText(unseen: number, errors: number): string {
  if (unseen === 0) return 'Follow'
  const lines = counted(unseen, 'new line')
  return errors === 0 ? lines : `${lines} · ${counted(errors, 'error')}`
}
