import type { DiffFiles } from './files/use-diff-files.ts'
import type { DiffWalk } from './use-diff-walk.ts'
import type { KeyBinding } from '../../ui/keys.ts'

type Choices = { split: () => void; ignoreSpace: () => void; update: () => void }

/** The keys of a diff. */
export const diffKeys = (files: DiffFiles, walk: DiffWalk, choices: Choices): KeyBinding[] => [
  { keys: ['j'], does: 'Next change', run: () => walk.hunk(1) },
  { keys: ['k'], does: 'Previous change', run: () => walk.hunk(-1) },
  { keys: ['n'], does: 'Next file', run: () => walk.step(1) },
  { keys: ['p'], does: 'Previous file', run: () => walk.step(-1) },
  {
    keys: ['v'],
    does: 'The file is viewed, or is not',
    run: () => {
      const at = walk.fileNow()
      const read = !files.isViewed(at)
      files.view(at, read)
      if (read) walk.showFile(at)
    },
  },
  { keys: ['s'], does: 'Split or stacked', run: choices.split },
  { keys: ['i'], does: 'Ignore changes of white space alone, or show them', run: choices.ignoreSpace },
  { keys: ['u'], does: 'Update to the newest', run: choices.update },
]
