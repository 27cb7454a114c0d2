import type { LogHits } from '../find/log-hits.ts'
import css from './log-overlay.module.css'
import { useEffect, useRef, type RefObject } from 'react'
import type { LogView, LogViewState } from './log-view.ts'
import type { LogErrors } from '../find/use-log-errors.ts'
import type { LogFind } from '../find/use-log-find.ts'

export type MinimapState = {
  lines: number
  /** Visible lines, [first, last). */
  first: number
  last: number
  hits: LogHits | null
  errors: LogHits
}

/** The whole log as a strip, with its errors, its hits and the part in view. A click goes there. */
export class Minimap {
  readonly #canvas = document.createElement('canvas')
  #lines = 0

  constructor(host: HTMLElement, goTo: (line: number) => void) {
    this.#canvas.className = css['minimap'] ?? ''
    this.#canvas.setAttribute('aria-hidden', 'true')
    this.#canvas.addEventListener('click', (event) => {
      const { height } = this.#canvas.getBoundingClientRect()
      if (height > 0) goTo(Math.min(this.#lines - 1, Math.floor((event.offsetY / height) * this.#lines)))
    })
    host.append(this.#canvas)
  }

  draw({ lines, first, last, hits, errors }: MinimapState): void {
    this.#lines = lines
    const [width, height] = [this.#canvas.clientWidth, this.#canvas.clientHeight].map((px) =>
      Math.round(px * devicePixelRatio),
    ) as [number, number]
    if (this.#canvas.width !== width) this.#canvas.width = width
    if (this.#canvas.height !== height) this.#canvas.height = height
    const context = this.#canvas.getContext('2d')
    if (!context || height === 0) return
    // A canvas understands neither var() nor light-dark(): the element has its colours in computed properties.
    const { color, caretColor, textDecorationColor } = getComputedStyle(this.#canvas)
    const tick = Math.max(2, Math.round(2 * devicePixelRatio))
    context.clearRect(0, 0, width, height)
    if (lines === 0) return
    const y = (line: number) => Math.floor((line / lines) * (height - tick))
    context.fillStyle = textDecorationColor
    if (first > 0 || last < lines) context.fillRect(0, y(first), width, Math.max(tick * 3, y(last) - y(first)))
    const strip = (of: LogHits, colour: string, x: number, wide: number) => {
      context.fillStyle = colour
      let drawn = -1
      // At most one tick per row of pixels, however many hits there are: the loop skips to the next row with one.
      for (let at = 0; at < of.length;) {
        const top = y(of.line(at))
        if (top !== drawn) context.fillRect(x, top, wide, tick)
        drawn = top
        at = Math.max(at + 1, of.from(Math.ceil(((top + 1) / (height - tick)) * lines)))
      }
    }
    strip(errors, color, 0, Math.ceil(width / 2))
    if (hits) strip(hits, caretColor, Math.floor(width / 2), Math.ceil(width / 2))
  }

  destroy(): void {
    this.#canvas.remove()
  }
}

type Seen = LogViewState & { lines: number; find: LogFind; errors: LogErrors }

/** The strip beside the log. It draws when its own content has changed, not with the log. */
export function useMinimap(host: RefObject<HTMLDivElement | null>, view: RefObject<LogView | null>, seen: Seen): void {
  const map = useRef<Minimap | null>(null)
  useEffect(() => {
    const body = host.current?.parentElement
    if (!body) return
    const made = new Minimap(body, (line) => view.current?.goTo(line))
    map.current = made
    return () => {
      made.destroy()
      map.current = null
    }
  }, [host, view])
  useEffect(() => {
    const hits = seen.find.query.text === '' ? null : seen.find.hits
    const frame = requestAnimationFrame(() =>
      map.current?.draw({
        lines: seen.lines,
        first: seen.firstLine,
        last: seen.lastLine,
        hits,
        errors: seen.errors.hits,
      }),
    )
    return () => cancelAnimationFrame(frame)
  })
}
