import type { Step } from '@beadloom/core/conversation/step.ts'
import type { RefObject } from 'react'
import type { Rows } from './use-step-scroll.ts'
import type { Reading } from './use-reading-place.ts'
import type { LogFind } from '../find/use-log-find.ts'
import { useKeys } from '../../../ui/keys/keys.ts'

export type ConversationKeyActions = {
  find: LogFind
  input: RefObject<HTMLInputElement | null>
  rows: RefObject<Rows | null>
  reading: Reading
  showInLog(step: Step): void
  askLine(): void
  clear(): void
  download(): void
}

/** Every key of the conversation; keys that the log shares do the same. */
export function useConversationKeys(actions: ConversationKeyActions): void {
  const { find, input, reading } = actions
  const { current } = reading
  useKeys('Conversation', [
    {
      keys: ['/', 'Mod+f'],
      does: 'Find in the log; press again for the browser’s search',
      run: () => input.current?.select(),
    },
    { keys: ['n'], does: 'Next match', run: () => find.step(1) },
    { keys: ['N'], does: 'Previous match', run: () => find.step(-1) },
    { keys: ['j', 'ArrowDown'], does: 'Next step', run: () => reading.step(1) },
    { keys: ['k', 'ArrowUp'], does: 'Previous step', run: () => reading.step(-1) },
    { keys: ['Enter', 'z'], does: 'Open or fold the step', run: () => current && foldOrOpen(current) },
    { keys: ['o'], does: 'Show the step in the log', run: () => current && actions.showInLog(current) },
    {
      keys: [' ', 'PageDown'],
      does: 'Page down; with Shift: up',
      run: ({ shiftKey }) => actions.rows.current?.page(shiftKey ? -1 : 1),
    },
    { keys: ['PageUp'], does: 'Page up', run: () => actions.rows.current?.page(-1) },
    { keys: ['g g', 'Home'], does: 'Start of the conversation', run: () => reading.goTo(0) },
    { keys: ['G', 'End'], does: 'End of the conversation, and follow it', run: reading.toEnd },
    { keys: [':'], does: 'Go to a line', run: actions.askLine },
    { keys: ['D'], does: 'Download', run: actions.download },
    {
      keys: ['Escape'],
      does: 'Leave the step, or clear the search',
      run: () => (find.query.text === '' ? actions.clear() : find.change({ text: '' })),
    },
  ])
}

const foldOrOpen = ({ first }: Step): void =>
  document.querySelector<HTMLElement>(`[data-step="${first}"] [aria-expanded]`)?.click()
