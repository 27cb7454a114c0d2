import type { ReactNode } from 'react'
import css from './chip.module.css'
import type { Tone } from './states.ts'
import tones from './tones.module.css'

/** A word in the colour of its meaning; the word alone is enough to understand it. */
export const Chip = ({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) => (
  <span className={`${css['chip']} ${tones[tone]}`} title={title}>
    {children}
  </span>
)
