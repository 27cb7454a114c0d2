import type { SessionContext } from '@beadloom/core/context/context-gauge.ts'
import css from './context-figure.module.css'
import { contextInFull, contextText, fullnessOf } from './context-words.ts'

/** An agent's context usage; the colour only repeats the number. */
export const ContextFigure = ({ context }: { context: SessionContext }) => (
  <span className={`live-number ${css[fullnessOf(context)] ?? ''}`} title={contextInFull(context)}>
    {contextText(context)}
  </span>
)
