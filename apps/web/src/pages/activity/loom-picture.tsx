import { SHORTEST_PX, weave } from '@beadloom/core/activity/loom.ts'
import type { ActivityView } from '@beadloom/core/api/activity-api.ts'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import css from './loom-picture.module.css'
import { LANE_PX, LoomThread } from './loom-thread.tsx'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { agoText, dayText, shortClockText } from '../../ui/time-text.ts'

const MARGIN = 24
const HEAD = 24
/** A thread that runs grows by so much at once. */
const STEP_MS = 10_000
/** The time of a stretch is written where there is room for it. */
const TIME_PX = 44
/** How wide a day with its time is. */
const WORDS_PX = 124

/** The work branch through the middle, and every execution as a thread beside it. The list below says the same. */
export function LoomPicture({ project, view, branch }: { project: string; view: ActivityView; branch: string }) {
  const pane = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(0)
  const now = Math.floor(useServerNow() / STEP_MS) * STEP_MS
  useLayoutEffect(() => {
    const { current } = pane
    if (current === null) return
    const watch = new ResizeObserver(() => setRoom(current.clientWidth))
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  const loom = useMemo(
    () => weave(view.items, Math.max(now, view.at), room - 2 * MARGIN - SHORTEST_PX),
    [view, now, room],
  )
  const { scale, threads, above, below } = loom
  const width = Math.max(room, scale.width + 2 * MARGIN)
  // What happened last is seen first.
  useLayoutEffect(() => {
    const { current } = pane
    if (current !== null) current.scrollLeft = current.scrollWidth
  }, [width])
  if (threads.length === 0) return null
  const middle = HEAD + above * LANE_PX + LANE_PX / 2
  const height = middle + below * LANE_PX + LANE_PX / 2 + 8
  return (
    <figure className={css['loom']}>
      <div className={css['pane']} ref={pane} role="group" aria-label={`Executions around ${branch}, as a picture`}>
        <svg width={width} height={height} viewBox={`${-MARGIN} 0 ${width} ${height}`} aria-hidden data-loom>
          {scale.stretches.map(({ from, x, width: wide }, at) => {
            const before = scale.stretches[at - 1]
            return (
              <g key={from}>
                {wide >= TIME_PX || at === 0 ? (
                  <text
                    x={x}
                    y={14}
                    className={css['time']}
                    textAnchor={x + WORDS_PX > scale.width + MARGIN ? 'end' : 'start'}
                    dx={x + WORDS_PX > scale.width + MARGIN ? scale.width + MARGIN - x - 4 : 0}
                  >
                    {before === undefined || dayText(before.to) !== dayText(from) ? `${dayText(from)} ` : ''}
                    {shortClockText(from)}
                  </text>
                ) : null}
                {before !== undefined && (
                  <text x={(before.x + before.width + x) / 2} y={middle - 6} className={css['pause']}>
                    {agoText(from - before.to)}
                  </text>
                )}
                <line x1={x} x2={x} y1={HEAD - 4} y2={height - 4} className={css['edge']} />
              </g>
            )
          })}
          <line x1={-MARGIN} x2={scale.width + MARGIN} y1={middle} y2={middle} className={css['branch']} />
          {threads.map((thread) => (
            <LoomThread key={thread.item.execution} project={project} thread={thread} middle={middle} />
          ))}
          {loom.now !== null && (
            <line x1={loom.now} x2={loom.now} y1={HEAD - 4} y2={height - 4} className={css['now']} />
          )}
        </svg>
      </div>
      <figcaption className={css['caption']}>
        <span className={css['knot']} aria-hidden /> merged into {shown(branch)}
      </figcaption>
    </figure>
  )
}
