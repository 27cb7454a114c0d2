import { useCallback, useLayoutEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'

const SMALLEST = 0.2
const LARGEST = 1.5
const STEP = 1.25
/** A picture that fits at this scale or a larger one is shown as a whole at first. */
const READABLE = 0.8

type Size = { width: number; height: number }
type Spot = { x: number; y: number }

export type Zoom = {
  scale: number
  larger(): void
  smaller(): void
  /** Shows the whole picture, or goes back to its own size. */
  fit(): void
  /** For the pane: dragging moves the picture. */
  drag: { onPointerDown(event: PointerEvent<HTMLElement>): void }
}

/**
 * The scale of a picture in a scrolling pane. At first the whole picture is shown if that is readable. The place under
 * the pointer, or the middle, stays where it is.
 */
export function useZoom(pane: RefObject<HTMLElement | null>, { width, height }: Size): Zoom {
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 })
  const [chosen, setChosen] = useState<number | null>(null)
  useLayoutEffect(() => {
    const { current } = pane
    if (current === null) return
    const watch = new ResizeObserver(() => setRoom({ width: current.clientWidth, height: current.clientHeight }))
    watch.observe(current)
    return () => watch.disconnect()
  }, [pane])
  const isKnown = room.width > 0 && width > 0 && height > 0
  const whole = isKnown ? Math.max(SMALLEST, Math.min(1, room.width / width, room.height / height)) : 1
  const scale = chosen ?? (whole >= READABLE ? whole : 1)

  /** A place in the picture, to be moved to a place in the pane once the new size is drawn. */
  const keep = useRef<{ picture: Spot; pane: Spot } | null>(null)
  const zoomTo = (wish: number, at?: Spot) => {
    const { current } = pane
    const next = Math.min(LARGEST, Math.max(SMALLEST, wish))
    if (current === null || next === scale) return
    const spot = at ?? { x: current.clientWidth / 2, y: current.clientHeight / 2 }
    keep.current = {
      picture: { x: (current.scrollLeft + spot.x) / scale, y: (current.scrollTop + spot.y) / scale },
      pane: spot,
    }
    setChosen(next)
  }
  useLayoutEffect(() => {
    const { current } = pane
    const spot = keep.current
    keep.current = null
    if (current !== null && spot !== null)
      current.scrollTo(spot.picture.x * scale - spot.pane.x, spot.picture.y * scale - spot.pane.y)
  }, [pane, scale])

  const turned = useRef<(event: WheelEvent) => void>(() => {})
  useLayoutEffect(() => {
    turned.current = (event) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { left = 0, top = 0 } = pane.current?.getBoundingClientRect() ?? {}
      zoomTo(scale * Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top })
    }
  })
  // React's own wheel listener is passive, so it cannot keep the browser from zooming the page.
  useLayoutEffect(() => {
    const { current } = pane
    if (current === null) return
    const turn = (event: WheelEvent) => turned.current(event)
    current.addEventListener('wheel', turn, { passive: false })
    return () => current.removeEventListener('wheel', turn)
  }, [pane])

  const onPointerDown = useCallback(
    (event: PointerEvent<HTMLElement>) => {
      const { current } = pane
      // Fingers scroll by themselves; links and buttons are for pressing.
      if (current === null || event.pointerType !== 'mouse' || event.button !== 0) return
      if (event.target instanceof Element && event.target.closest('a, button') !== null) return
      const from = { x: event.clientX + current.scrollLeft, y: event.clientY + current.scrollTop }
      const move = (to: globalThis.PointerEvent) => current.scrollTo(from.x - to.clientX, from.y - to.clientY)
      const drop = () => {
        current.removeEventListener('pointermove', move)
        current.removeAttribute('data-dragged')
      }
      current.setPointerCapture(event.pointerId)
      current.setAttribute('data-dragged', '')
      current.addEventListener('pointermove', move)
      current.addEventListener('lostpointercapture', drop, { once: true })
    },
    [pane],
  )

  return {
    scale,
    larger: () => zoomTo(scale * STEP),
    smaller: () => zoomTo(scale / STEP),
    fit: () => zoomTo(scale === whole ? 1 : whole),
    drag: { onPointerDown },
  }
}
