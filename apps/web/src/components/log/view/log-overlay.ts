import type { LogSection } from '@beadloom/core/api/executions/log-api.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import css from './log-overlay.module.css'

const CHIP_MS = 900
/** The height of `.sticky`. */
const HEAD_PX = 24

/** Overlay on the rows: the current section, and the current place while flinging. */
export class LogOverlay {
  readonly #head = document.createElement('button')
  readonly #chip = document.createElement('div')
  #goTo = 0
  #shown = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(host: HTMLElement, goTo: (line: number) => void) {
    this.#head.type = 'button'
    this.#head.tabIndex = -1
    this.#head.className = css['sticky'] ?? ''
    this.#head.hidden = true
    this.#head.addEventListener('click', () => goTo(this.#goTo))
    this.#chip.className = css['chip'] ?? ''
    this.#chip.hidden = true
    this.#chip.setAttribute('aria-hidden', 'true')
    host.append(this.#head, this.#chip)
  }

  /** Height of the rows covered at the upper edge, in pixels. */
  get coveredPx(): number {
    return this.#head.hidden ? 0 : HEAD_PX
  }

  /** `sections` contain the first visible line, outermost first; their heads are above the view. */
  showSections(sections: readonly LogSection[]): void {
    const innermost = sections.at(-1)
    const text = sections.map((section) => shown(section.title)).join(' › ')
    if (text === this.#shown) return
    this.#shown = text
    this.#goTo = innermost?.first ?? 0
    this.#head.hidden = innermost === undefined
    this.#head.textContent = text
    this.#head.setAttribute('aria-label', `Go to the start of ${text}`)
  }

  showPlace(line: number, lines: number): void {
    this.#chip.textContent = `line ${countText(line + 1)} of ${countText(lines)}`
    this.#chip.hidden = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.#chip.hidden = true), CHIP_MS)
  }

  destroy(): void {
    clearTimeout(this.#timer)
  }
}
