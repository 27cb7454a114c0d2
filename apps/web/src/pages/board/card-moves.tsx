import { Component } from 'react'
import type { ReactNode } from 'react'
import type { Lane } from '../../feed/lanes.ts'

type Props = { placement: ReadonlyMap<string, Lane>; children: ReactNode }
type Before = { rects: Map<string, DOMRect>; focused: string | null }

/** So many at once is a new board, not a move. */
const MOST_MOVES = 20

const elementOf = (id: string): HTMLElement | null => document.querySelector(`[data-bead="${CSS.escape(id)}"]`)

/**
 * Moves visible cards to their new column in 150 ms. A class, because only `getSnapshotBeforeUpdate` sees where a card
 * was before React moved it; only cards that change their column are measured.
 */
export class CardMoves extends Component<Props> {
  override getSnapshotBeforeUpdate(previous: Readonly<Props>): Before | null {
    if (previous.placement === this.props.placement) return null
    const before: Before = { rects: new Map(), focused: null }
    for (const [id, lane] of this.props.placement) {
      const old = previous.placement.get(id)
      if (old === undefined || old === lane) continue
      const element = elementOf(id)
      if (!element) continue
      before.rects.set(id, element.getBoundingClientRect())
      if (element.contains(document.activeElement)) before.focused = id
      if (before.rects.size > MOST_MOVES) break
    }
    return before.rects.size > 0 ? before : null
  }

  override componentDidUpdate(_: Readonly<Props>, __: unknown, before: Before | null): void {
    if (!before) return
    // Virtual columns place a new card one frame later.
    requestAnimationFrame(() => {
      if (before.focused !== null) elementOf(before.focused)?.querySelector('a')?.focus() // the focus follows its card
      if (before.rects.size > MOST_MOVES || matchMedia('(prefers-reduced-motion: reduce)').matches) return
      for (const [id, from] of before.rects) this.#move(id, from)
    })
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
    const lane = this.props.placement.get(id)
    if (lane === 'failed' || lane === 'timeout') pulse(element)
  }

  override render(): ReactNode {
    return this.props.children
  }
}

/** Once, on the border, no loop. */
function pulse(element: HTMLElement): void {
  const colour = getComputedStyle(element).getPropertyValue('--failed')
  element.animate([{ boxShadow: `0 0 0 3px ${colour}` }, { boxShadow: '0 0 0 0 transparent' }], {
    duration: 900,
    delay: 150,
  })
}
