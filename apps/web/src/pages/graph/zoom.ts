import { useCallback, useLayoutEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'

const SMALLEST = 0.2
const LARGEST = 1.5
const STEP = 1.25
/** A picture that needs to be no smaller than this is shown as a whole at first. */
const READABLE = 0.8

type Size = { width: number; height: number }
type Spot = { x: number; y: number }

export type Zoom = {
  scale: number
  larger(): void
  smaller(): void
  /** The whole picture, or back to its own size. */
  fit(): void
  /** For the pane: a drag moves the picture. */
  drag: { onPointerDown(event: PointerEvent<HTMLElement>): void }
}

/**
 * How large a picture in a pane that scrolls is drawn: as a whole where it can be read then, until somebody chooses. The
 * place under the pointer, or the middle, stays where it is.
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

  /** A place of the picture that belongs to a place of the pane, once it is drawn in its new size. */
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
  // React's own listener for the wheel may not keep the browser from zooming the page.
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
      // Fingers scroll by themselves, and what can be pressed is pressed.
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
