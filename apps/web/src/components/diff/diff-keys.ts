import type { DiffFiles } from './files/use-diff-files.ts'
import type { DiffWalk } from './use-diff-walk.ts'
import type { KeyBinding } from '../../ui/keys/keys.ts'

type Choices = { split: () => void; ignoreSpace: () => void; update: () => void }

export const diffKeys = (files: DiffFiles, walk: DiffWalk, choices: Choices): KeyBinding[] => [
  { keys: ['j'], does: 'Next change', run: () => walk.hunk(1) },
  { keys: ['k'], does: 'Previous change', run: () => walk.hunk(-1) },
  { keys: ['w'], does: 'Who wrote the next added line, and why', run: () => walk.nextAdded() },
  { keys: ['n'], does: 'Next file', run: () => walk.step(1) },
  { keys: ['p'], does: 'Previous file', run: () => walk.step(-1) },
  {
    keys: ['v'],
    does: 'Mark the file as viewed, or not',
    run: () => {
      const at = walk.fileNow()
      const read = !files.isViewed(at)
      files.view(at, read)
      if (read) walk.showFile(at)
    },
  },
  { keys: ['s'], does: 'Split or stacked view', run: choices.split },
  { keys: ['i'], does: 'Ignore or show whitespace changes', run: choices.ignoreSpace },
  { keys: ['u'], does: 'Update to the newest commit', run: choices.update },
]
