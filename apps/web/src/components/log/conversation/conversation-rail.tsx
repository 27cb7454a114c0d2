import { useImperativeHandle, useRef, useState, type PointerEvent, type Ref } from 'react'
import css from './conversation-rail.module.css'
import { countText } from '@beadloom/core/text/count-text.ts'

/** The smallest thumb, in pixels, that a finger still finds. */
const LEAST_THUMB = 28
/** Milliseconds for which the thumb must rest before lines are read. */
const REST_MS = 120

export type Rail = { place(first: number, last: number): void }

type Props = { lines: number; pane: string; onLine: (line: number) => void; ref: Ref<Rail> }

/** A scroll bar over all lines of a conversation, even unread ones: lines are read wherever it rests. */
export function ConversationRail({ lines, pane, onLine, ref }: Props) {
  const track = useRef<HTMLDivElement>(null)
  const thumb = useRef<HTMLDivElement>(null)
  const held = useRef<{ offset: number; rest: ReturnType<typeof setTimeout> | undefined } | null>(null)
  const [line, setLine] = useState<number | null>(null)

  const put = (first: number, last: number) => {
    const [bar, knob] = [track.current, thumb.current]
    if (!bar || !knob || lines === 0) return
    const height = Math.max(LEAST_THUMB, ((last - first) / lines) * bar.clientHeight)
    const room = bar.clientHeight - height
    const share = Math.min(1, first / Math.max(1, lines - (last - first)))
    if (Math.abs(knob.offsetHeight - height) > 1) knob.style.height = `${height}px`
    knob.style.transform = `translateY(${share * room}px)`
    bar.setAttribute('aria-valuenow', String(Math.round(first) + 1))
  }
  useImperativeHandle(ref, () => ({ place: (first, last) => held.current === null && put(first, last) }))

  const lineAt = ({ clientY }: PointerEvent, offset: number): number => {
    const [bar, knob] = [track.current!, thumb.current!]
    const { top, height } = bar.getBoundingClientRect()
    const room = Math.max(1, height - knob.offsetHeight)
    const at = Math.min(room, Math.max(0, clientY - top - offset))
    knob.style.transform = `translateY(${at}px)`
    return Math.min(lines - 1, Math.round((at / room) * lines))
  }
  const follow = (event: PointerEvent) => {
    const now = held.current
    if (now === null) return
    const at = lineAt(event, now.offset)
    setLine(at)
    clearTimeout(now.rest)
    now.rest = setTimeout(() => onLine(at), REST_MS)
  }
  const release = (event: PointerEvent) => {
    const now = held.current
    if (now === null) return
    clearTimeout(now.rest)
    held.current = null
    setLine(null)
    onLine(lineAt(event, now.offset))
  }
  return (
    <div
      ref={track}
      className={css['track']}
      role="scrollbar"
      aria-label="Place in the conversation"
      aria-controls={pane}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={lines}
      aria-valuenow={1}
      tabIndex={-1}
      onPointerDown={(event) => {
        event.preventDefault()
        const { top, height } = thumb.current!.getBoundingClientRect()
        const inside = event.clientY >= top && event.clientY <= top + height
        held.current = { offset: inside ? event.clientY - top : height / 2, rest: undefined }
        event.currentTarget.setPointerCapture(event.pointerId)
        follow(event)
      }}
      onPointerMove={follow}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <div ref={thumb} className={css['thumb']} />
      {line !== null && (
        <span className={css['chip']}>
          Line {countText(line + 1)} of {countText(lines)}
        </span>
      )}
    </div>
  )
}
