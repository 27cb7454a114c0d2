import { changedTests, eachTest, type Edits, type Exercise } from '../exercise.ts'
import type { Way } from '../sabotage.ts'

/* Building blocks for ways in every language. */

export const way = (name: string, edits: Way['edits']): Way => ({ name, edits })

/** An edit of each test file. */
export const inTests = (name: string, edit: (text: string) => string): Way =>
  way(name, (exercise) => changedTests(exercise, edit))

/** A new or replaced file. */
export const withFile = (
  name: string,
  path: string,
  text: string | ((exercise: Exercise) => string),
  more: Edits = {},
): Way => way(name, (exercise) => ({ [path]: typeof text === 'string' ? text : text(exercise), ...more }))

/** An edit of a file beside the exercise's tests and solution; null if it would change nothing. */
export const inFile = (name: string, path: string, edit: (text: string) => string, more: Edits = {}): Way =>
  way(name, ({ files }) => {
    const text = files[path] ?? ''
    const now = edit(text)
    return now === text ? null : { [path]: now, ...more }
  })

/** An edit of the solution's first file, which the tests import. */
export const inModule = (name: string, edit: (text: string) => string): Way =>
  way(name, ({ stub }, wrong) => {
    const [path = ''] = Object.keys(stub)
    const text = wrong[path] ?? ''
    const now = edit(text)
    return now === text ? null : { [path]: now }
  })

/** The tests under other names. */
export const moved = (
  name: string,
  to: (path: string) => string,
  more: Edits | ((exercise: Exercise) => Edits) = {},
): Way =>
  way(name, (exercise) => {
    const edits: Edits = {}
    for (const path of exercise.tests) {
      edits[path] = null
      edits[to(path)] = exercise.files[path] ?? ''
    }
    return { ...edits, ...(typeof more === 'function' ? more(exercise) : more) }
  })

export const deleted = (exercise: Exercise): Edits => eachTest(exercise, () => null)
