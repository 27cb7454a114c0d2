import type { Session } from '@beadloom/core/records/session.ts'
import { MessagesSquare, ScrollText } from 'lucide-react'
import { useCallback, useState } from 'react'
import css from './output-mode.module.css'

export type OutputMode = 'conversation' | 'log'

const KEY = 'beadloom.output'

function stored(): OutputMode | null {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'conversation' || value === 'log' ? value : null
  } catch {
    return null
  }
}

/** Whether a session has a conversation: its agent needs a model. */
export const converses = ({ kind, model }: Session): boolean => kind === 'work' && model !== null

/** Whether the person has chosen the log instead. */
export const prefersLog = (): boolean => stored() === 'log'

/**
 * The mode of a session: the person's last choice; without one, the conversation if there is one. `isThread`: the
 * session is one of several that are read as one.
 */
export function useOutputMode(
  session: Session,
  command: boolean,
  isThread = false,
): [OutputMode, (mode: OutputMode) => void] {
  const [chosen, setChosen] = useState(stored)
  const first = isThread || (converses(session) && !command) ? 'conversation' : 'log'
  const mode = session.kind === 'work' || isThread ? (chosen ?? first) : 'log'
  const choose = useCallback((to: OutputMode) => {
    setChosen(to)
    try {
      localStorage.setItem(KEY, to)
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }, [])
  return [mode, choose]
}

const words = { conversation: 'Conversation', log: 'Log' } as const

/** The switch between the two ways to show the same lines. */
export function OutputModes({ mode, onMode }: { mode: OutputMode; onMode: (mode: OutputMode) => void }) {
  return (
    <span className={css['modes']} role="group" aria-label="How output is shown">
      {(['conversation', 'log'] as const).map((one) => (
        <button
          key={one}
          type="button"
          className={css['mode']}
          aria-pressed={mode === one}
          title={`${words[one]} (c)`}
          onClick={() => onMode(one)}
        >
          {one === 'conversation' ? (
            <MessagesSquare size={14} strokeWidth={1.5} aria-hidden />
          ) : (
            <ScrollText size={14} strokeWidth={1.5} aria-hidden />
          )}
          <span className={css['word']}>{words[one]}</span>
        </button>
      ))}
    </span>
  )
}
