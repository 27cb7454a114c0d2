import type { Session } from '@beadloom/core/records/session.ts'
import { Suspense, useCallback, useRef, useState, type ReactNode } from 'react'
import { useEndRow } from './end-row.ts'
import type { FindAcross } from './find/find-across.ts'
import { useLogErrors } from './find/use-log-errors.ts'
import { useLogFind } from './find/use-log-find.ts'
import { OutlineMenu, OutlineRail } from './folds/log-outline.tsx'
import { useOutline } from './folds/use-outline.ts'
import type { Lines } from './lines/line-selection.ts'
import { copyLines } from './lines/log-copy.ts'
import { LogBar } from './log-bar.tsx'
import { LogBody } from './log-body.tsx'
import css from './log-pane.module.css'
import { useLogKeys } from './use-log-keys.ts'
import { useSayNews, useSince } from './use-news.ts'
import { useOpenLog } from './use-open-log.ts'
import { useViewInputs } from './use-view-inputs.ts'
import { useViewChoices } from './view-choices.ts'
import { useMinimap } from './view/minimap.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useIsWide } from '../../ui/use-media.ts'

/** In a narrower pane, the bar's tools would need a second row. */
const BAR_PX = 560

const lineDialog = lazyPart(async () => (await import('./lines/line-dialog.tsx')).LineDialog)

type Props = {
  session: Session
  /** The current step of its execution ("building the image, step 3 of 7"), for a log that has not begun. */
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
  const open = useOpenLog(session, host, { onSelect: onLines, onOpen: setOpened, onCopy: copy })
  const { log, view, figures, place } = open
  const [choices, choose] = useViewChoices()
  const from = useCallback(() => view.current?.state.firstLine ?? 0, [view])
  const find = useLogFind(log, from, session.id, across)
  const errors = useLogErrors(log, (line) => onLines({ first: line, last: line }))
  const outline = useOutline(session, view, place, errors)
  const wide = useIsWide(pane)
  const roomy = useIsWide(pane, BAR_PX)

  useViewInputs(open, { lines, find, choices, sections: outline.sections, errors })
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
        <LogBody
          session={session}
          activity={activity}
          open={open}
          host={host}
          find={find}
          unseenErrors={unseenErrors}
          asksLine={asksLine}
          onAsksLine={setAsksLine}
          onLines={onLines}
          onOpen={setOpened}
        />
      </div>
      {opened !== null && (
        <Suspense fallback={null}>
          <lineDialog.Part session={session.id} line={opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </div>
  )
}
