import type { Mark } from './states.ts'
import css from './state-mark.module.css'
import tones from './tones.module.css'

/** Glyph and word of a state; `bare` keeps the word for assistive technology only. */
export function StateMark({ mark, bare, live }: { mark: Mark; bare?: boolean; live?: boolean }) {
  const Icon = mark.icon
  return (
    <span className={`${css['mark']} ${tones[mark.tone]}`}>
      <Icon size={16} strokeWidth={1.75} aria-hidden className={live ? css['turning'] : undefined} />
      <span className={bare ? 'visually-hidden' : undefined}>{mark.word}</span>
    </span>
  )
}
