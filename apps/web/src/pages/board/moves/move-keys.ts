import { priorityText, priorityWords } from '@beadloom/core/bead/priority-words.ts'
import type { Move } from './moves.ts'
import type { KeyBinding } from '../../../ui/keys/keys.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'

/** `p 0` to `p 4` for priorities; running and closing have keys of their own. */
export const movesByKey = (move: (move: Move) => void, whom: string): KeyBinding[] =>
  priorityWords.map((_, priority) => ({
    keys: [`p ${priority}`],
    does: `Set ${whom} to ${priorityText(priority)}`,
    run: () => move({ to: 'priority', priority }),
  }))

export const { Part: MoveDialog } = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog)
