import { Component } from 'react'
import type { ReactNode } from 'react'
import type { ShownCard, ShownColumn } from '../columns/held-columns.ts'
import { parseLane } from '@beadloom/core/board/board-card.ts'
import type { Lane } from '@beadloom/core/board/board-card.ts'

type Props = { columns: readonly ShownColumn[]; children: ReactNode }
type Before = { rects: Map<string, DOMRect>; focused: string | null }

/** More moves at once mean a new board. */
const MOST_MOVES = 20

/** Lanes where a card arrives with a pulse. */
const pulses: Record<Lane, boolean> = {
  queued: false,
  running: false,
  blocked: false,
  failed: true,
  timeout: true,
  open: false,
  completed: false,
}

/** Few cards leave a column between two renders; a card not found within this distance is looked up. */
const NEAR = 8
const none: readonly ShownCard[] = []

function placeIn(cards: readonly ShownCard[], item: ShownCard, from: number): number | null {
  const end = Math.min(cards.length, from + NEAR)
  for (let at = from; at < end; at++) if (cards[at] === item) return at
  return null
}

const elementOf = (id: string): HTMLElement | null => document.querySelector(`[data-bead="${CSS.escape(id)}"]`)
let still: MediaQueryList | null = null
const isStill = () => (still ??= matchMedia('(prefers-reduced-motion: reduce)')).matches

/**
 * Moves visible cards to their new column in 150 ms. A class, because only `getSnapshotBeforeUpdate` sees where a card
 * was before React moved it; only cards that change their column are measured.
 */
export class CardMoves extends Component<Props> {
  /** The column of each card as last drawn. */
  readonly #places = new Map<string, string>()

  override componentDidMount(): void {
    this.#moved([])
  }

  override getSnapshotBeforeUpdate(previous: Readonly<Props>): Before | null {
    if (previous.columns === this.props.columns) return null
    const moved = this.#moved(previous.columns)
    if (moved.length === 0) return null
    const before: Before = { rects: new Map(), focused: null }
    const focus = document.activeElement?.closest<HTMLElement>('[data-bead]')?.dataset['bead']
    if (focus !== undefined && moved.includes(focus)) before.focused = focus
    if (moved.length <= MOST_MOVES && !isStill())
      for (const id of moved) {
        const element = elementOf(id)
        if (element) before.rects.set(id, element.getBoundingClientRect())
      }
    return before.focused !== null || before.rects.size > 0 ? before : null
  }

  override componentDidUpdate(_: Readonly<Props>, __: unknown, before: Before | null): void {
    if (!before) return
    // If the column must scroll to the card first, it does so within this frame.
    requestAnimationFrame(() => {
      if (before.focused !== null) elementOf(before.focused)?.querySelector('a')?.focus() // the focus follows its card
      for (const [id, from] of before.rects) this.#move(id, from)
    })
  }

  /** Cards that are in another column than before; unchanged columns are skipped. */
  #moved(previous: readonly ShownColumn[]): string[] {
    const moved: string[] = []
    for (const [at, { key, cards }] of this.props.columns.entries()) {
      const old = previous[at]
      const before = old?.key === key ? old.cards : none
      if (before === cards) continue
      let next = 0
      for (const item of cards) {
        const was = placeIn(before, item, next)
        if (was !== null) {
          next = was + 1
          continue
        }
        const { id } = item.card
        const place = this.#places.get(id)
        if (place === key) continue
        this.#places.set(id, key)
        if (place !== undefined) moved.push(id)
      }
    }
    return moved
  }

  #move(id: string, from: DOMRect): void {
    const element = elementOf(id)
    if (!element) return
    const to = element.getBoundingClientRect()
    element.animate(
      [
        { translate: `${from.x - to.x}px ${from.y - to.y}px`, zIndex: 5 },
        { translate: '0 0', zIndex: 5 },
      ],
      { duration: 150, easing: 'ease-out' },
    )
    const lane = parseLane(element.dataset['lane'])
    if (lane !== undefined && pulses[lane]) pulse(element)
  }

  override render(): ReactNode {
    return this.props.children
  }
}

/** A single pulse on the border, without a loop. */
function pulse(element: HTMLElement): void {
  const colour = getComputedStyle(element).getPropertyValue('--failed')
  element.animate([{ boxShadow: `0 0 0 3px ${colour}` }, { boxShadow: '0 0 0 0 transparent' }], {
    duration: 900,
    delay: 150,
  })
}
