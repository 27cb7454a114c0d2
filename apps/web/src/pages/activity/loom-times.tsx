import type { Loom } from '@beadloom/core/activity/loom.ts'
import css from './loom-picture.module.css'
import { agoText, dayText, shortClockText } from '../../ui/text/time-text.ts'

/** The room that a time needs until the next one; a day needs more. */
const TIME_PX = 44
const DAY_PX = 130
const NOW_PX = 36

type Props = { loom: Loom; middle: number; height: number; isNamed: boolean }

/** The times below the picture: the start of each stretch, and the length of each pause. */
export function LoomTimes({ loom: { scale, now }, middle, height, isNamed }: Props) {
  const { stretches, width } = scale
  let free = -Infinity
  return stretches.map(({ from, x, to }, at) => {
    const before = stretches[at - 1]
    const isNewDay = before === undefined || dayText(before.to) !== dayText(from)
    const words = isNewDay ? DAY_PX : TIME_PX
    const end = now === null ? width : now - NOW_PX
    const start = Math.max(0, Math.min(x, end - words))
    const fits = start >= free && (at === 0 || start >= x - words)
    if (fits) free = start + words
    return (
      <g key={from}>
        {fits && (
          <text x={start} y={16} className={css['time']}>
            {isNewDay ? `${dayText(from)} ` : ''}
            {isNewDay && !isNamed ? '' : shortClockText(from)}
          </text>
        )}
        {before !== undefined && isNamed && (
          <text x={(before.x + before.width + x) / 2} y={middle - 8} className={css['pause']}>
            {agoText(from - before.to)}
          </text>
        )}
        {(fits || isNamed) && <path d={`M${x} 26V${height - 4}`} className={css['edge']} />}
        {now !== null && at === stretches.length - 1 && to > 0 && (
          <>
            <path d={`M${now} 26V${height - 4}`} className={css['now']} />
            <text x={now} y={16} className={css['nowWord']}>
              now
            </text>
          </>
        )}
      </g>
    )
  })
}
