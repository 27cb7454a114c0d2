import { atAGlance, readable, weave, type ThreadEnd } from '@beadloom/core/activity/loom.ts'
import type { ActivityView } from '@beadloom/core/api/projects/activity-api.ts'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import css from './loom-picture.module.css'
import { EndMark, LoomEnd, LoomName, LoomThread } from './loom-thread.tsx'
import { LoomTimes } from './loom-times.tsx'
import { marks, type Tone } from '../../components/bead/states.ts'
import tones from '../../components/bead/tones.module.css'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'

const MARGIN = 28
const HEAD = 28
const LANE_PX = 32
const NARROW_LANE_PX = 14
/** A running thread grows in steps of this time. */
const STEP_MS = 10_000
/** A picture at most this many times wider than its pane is shown as a whole at first. */
const MOST_PANES = 3

const toned: readonly Tone[] = ['completed', 'failed', 'blocked', 'timeout', 'queued', 'running']
/** In the order of the legend. */
const told: readonly (Exclude<ThreadEnd, 'merged'> & Tone)[] = ['running', 'failed', 'blocked', 'timeout']

/** The work branch through the middle, and every execution as a thread beside it. The list below says the same. */
export function LoomPicture({ project, view, branch }: { project: string; view: ActivityView; branch: string }) {
  const pane = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(0)
  const [asked, setAsked] = useState<'names' | 'whole' | null>(null)
  const now = Math.floor(useServerNow() / STEP_MS) * STEP_MS
  useLayoutEffect(() => {
    const { current } = pane
    if (current === null) return
    const watch = new ResizeObserver(() => setRoom(current.clientWidth))
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  const until = Math.max(now, view.at)
  const inside = room - 2 * MARGIN
  const named = useMemo(() => weave(view.items, until, inside, readable), [view, until, inside])
  const isLong = named.scale.width > inside + 1
  const isWhole = isLong && (asked ?? (named.scale.width > MOST_PANES * inside ? 'whole' : 'names')) === 'whole'
  const loom = useMemo(
    () => (isWhole ? weave(view.items, until, inside, atAGlance) : named),
    [isWhole, named, view, until, inside],
  )
  const { scale, threads, above, below } = loom
  const width = Math.max(room, scale.width + 2 * MARGIN)
  // Scroll to the newest events first.
  useLayoutEffect(() => {
    const { current } = pane
    if (current !== null) current.scrollLeft = current.scrollWidth
  }, [width])
  if (threads.length === 0) return null
  const lanePx = isWhole ? NARROW_LANE_PX : LANE_PX
  const middle = HEAD + Math.max(above, 1) * lanePx + lanePx / 2
  const height = middle + Math.max(below, 0.5) * lanePx + lanePx / 2
  const place = { middle, lanePx, isNamed: !isWhole }
  const seen = told.filter((one) => threads.some(({ end }) => end === one))
  return (
    <figure className={css['loom']}>
      <div className={css['pane']} ref={pane} role="group" aria-label={`Executions around ${branch}, as a picture`}>
        <svg width={width} height={height} viewBox={`${-MARGIN} 0 ${width} ${height}`} aria-hidden data-loom>
          <defs>
            {/* A thread has the branch's colour where it leaves, and soon after that of its end. */}
            {toned.map((tone) => (
              <linearGradient key={tone} id={`loom-${tone}`} className={tones[tone]}>
                <stop offset="0" className={css['leaving']} />
                <stop offset="0.3" className={css['ending']} />
              </linearGradient>
            ))}
            <linearGradient id="loom-branch" gradientUnits="userSpaceOnUse" x1={-MARGIN} x2={MARGIN}>
              <stop offset="0" className={css['leaving']} stopOpacity="0.15" />
              <stop offset="1" className={css['leaving']} />
            </linearGradient>
          </defs>
          <LoomTimes loom={loom} middle={middle} height={height} isNamed={!isWhole} />
          {/* The order matters: the branch covers the starts of threads, and nothing covers a knot or a name. */}
          {threads.map((thread) => (
            <LoomThread key={thread.item.execution} project={project} thread={thread} {...place} />
          ))}
          <path d={`M${-MARGIN} ${middle}H${width - MARGIN}`} className={css['branch']} stroke="url(#loom-branch)" />
          {threads.map((thread) => (
            <LoomEnd key={thread.item.execution} thread={thread} {...place} />
          ))}
          {!isWhole &&
            threads.map((thread) => (
              <LoomName key={thread.item.execution} project={project} thread={thread} middle={middle} lanePx={lanePx} />
            ))}
        </svg>
      </div>
      <figcaption className={css['caption']}>
        <span>
          <span className={css['knot']} aria-hidden /> merged into {shown(branch)}
        </span>
        {seen.map((end) => (
          <span key={end} className={tones[end]}>
            <svg width={16} height={16} viewBox="-8 -8 16 16" aria-hidden>
              <EndMark end={end} x={0} y={0} isSmall={false} />
            </svg>{' '}
            {marks[end].word.toLowerCase()}
          </span>
        ))}
        <span className={css['space']} />
        {isLong && (
          <Button look="quiet" onClick={() => setAsked(isWhole ? 'names' : 'whole')}>
            {isWhole ? 'Show names' : 'Show the whole time'}
          </Button>
        )}
      </figcaption>
    </figure>
  )
}
