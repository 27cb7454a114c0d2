import type { RefObject } from 'react'
import type { Rows } from './step-rows.tsx'
import type { LogFind } from '../find/use-log-find.ts'
import { useKeys } from '../../../ui/keys/keys.ts'

export type ConversationKeyActions = {
  find: LogFind
  input: RefObject<HTMLInputElement | null>
  rows: RefObject<Rows | null>
  step(by: 1 | -1): void
  fold(): void
  showInLog(): void
  toStart(): void
  askLine(): void
  toEnd(): void
  clear(): void
  download(): void
}

/** Every key of the conversation; keys that the log shares do the same. */
export function useConversationKeys(actions: ConversationKeyActions): void {
  const { find, input } = actions
  useKeys('Conversation', [
    {
      keys: ['/', 'Mod+f'],
      does: 'Find in the log; press again for the browser’s search',
      run: () => input.current?.select(),
    },
    { keys: ['n'], does: 'Next match', run: () => find.step(1) },
    { keys: ['N'], does: 'Previous match', run: () => find.step(-1) },
    { keys: ['j', 'ArrowDown'], does: 'Next step', run: () => actions.step(1) },
    { keys: ['k', 'ArrowUp'], does: 'Previous step', run: () => actions.step(-1) },
    { keys: ['Enter', 'z'], does: 'Open or fold the step', run: actions.fold },
    { keys: ['o'], does: 'Show the step in the log', run: actions.showInLog },
    {
      keys: [' ', 'PageDown'],
      does: 'Page down; with Shift: up',
      run: ({ shiftKey }) => actions.rows.current?.page(shiftKey ? -1 : 1),
    },
    { keys: ['PageUp'], does: 'Page up', run: () => actions.rows.current?.page(-1) },
    { keys: ['g g', 'Home'], does: 'Start of the conversation', run: actions.toStart },
    { keys: ['G', 'End'], does: 'End of the conversation, and follow it', run: actions.toEnd },
    { keys: [':'], does: 'Go to a line', run: actions.askLine },
    { keys: ['D'], does: 'Download', run: actions.download },
    { keys: ['Escape'], does: 'Leave the step, or clear the search', run: actions.clear },
  ])
}
