import { Portal } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import type { FocusEvent, PointerEvent, ReactNode } from 'react'
import css from './hint.module.css'

const DELAY_MS = 400
const LINGER_MS = 120

type Shown = { text: string; keys: string | null; left: number; top: number; above: boolean }

/**
 * A hint that many buttons share; each button has its text in `data-hint` and its keys in `data-hint-keys`. A board draws
 * dozens of cards a second, and separate hints would be the greater part of a card. The text repeats the button's name
 * and description, so assistive technology has it already.
 */
export function SharedHint({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hint = useRef<HTMLElement>(null)
  const pointer = useRef({ x: -1, y: -1 })
  useEffect(() => () => clearTimeout(timer.current), [])

  const later = (ms: number, run: () => void) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(run, ms)
  }
  const show = (button: HTMLElement) => {
    const { left, width, top, bottom } = button.getBoundingClientRect()
    const above = bottom > innerHeight - 60
    const text = button.dataset['hint'] ?? ''
    setShown({
      text,
      keys: button.dataset['hintKeys'] ?? null,
      left: left + width / 2,
      top: above ? top : bottom,
      above,
    })
  }
  const over = (event: PointerEvent) => {
    const button = buttonOf(event.target)
    if (event.pointerType === 'touch' || button === null) return
    later(DELAY_MS, () => button.isConnected && show(button))
  }
  // The hint stays while the pointer is on it, though clicks go to the element below.
  const leave = () =>
    later(LINGER_MS, () => {
      if (hint.current !== null && isWithin(hint.current, pointer.current)) leave()
      else setShown(null)
    })
  const out = (event: PointerEvent) => {
    if (buttonOf(event.target) !== null) leave()
  }
  const focus = (event: FocusEvent) => {
    const button = buttonOf(event.target)
    if (button?.matches(':focus-visible')) show(button)
    else setShown(null)
  }
  return (
    <div
      className={className}
      onPointerOver={over}
      onPointerOut={out}
      onPointerMove={(event) => (pointer.current = { x: event.clientX, y: event.clientY })}
      onPointerDown={() => setShown(null)}
      onFocus={focus}
      onBlur={() => setShown(null)}
      onScrollCapture={shown === null ? undefined : () => setShown(null)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || shown === null) return
        event.preventDefault() // the next Escape is for the layer below
        setShown(null)
      }}
    >
      {children}
      {shown !== null && (
        <Portal.Root
          ref={(element) => {
            hint.current = element
            if (element) place(element, shown)
          }}
          className={`${css['hint']} ${css['shared']}`}
          aria-hidden
        >
          {shown.text}
          {shown.keys !== null && <kbd>{shown.keys}</kbd>}
        </Portal.Root>
      )}
    </div>
  )
}

const buttonOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null

function isWithin(element: HTMLElement, { x, y }: { x: number; y: number }): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return x >= left && x <= right && y >= top && y <= bottom
}

const GAP = 4
const EDGE = 8

/** Places the hint below the button or above it, within the window. */
function place(element: HTMLElement, { left, top, above }: Shown): void {
  const { width, height } = element.getBoundingClientRect()
  const x = Math.max(EDGE, Math.min(left - width / 2, innerWidth - width - EDGE))
  element.style.left = `${x}px`
  element.style.top = `${above ? top - height - GAP : top + GAP}px`
}
