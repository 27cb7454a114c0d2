import type { Files } from '../support/repository.ts'

export const languages = ['python', 'go', 'javascript', 'rust', 'java', 'cpp'] as const
export type Language = (typeof languages)[number]

export const setNames = ['polyglot', 'quixbugs'] as const
export type SetName = (typeof setNames)[number]

/** A task that people wrote, with tests and a solution that passes them. Paths are relative to its folder. */
export type Exercise = {
  set: SetName
  language: Language
  /** Letters, digits and hyphens: the name of its folder. */
  name: string
  /** All files except the solution: tests, settings, instructions. */
  files: Files
  /** The agent's start: the solution's files, wrong or unfinished. */
  stub: Files
  /** The solution's files that pass. */
  reference: Files
  /** The files of `files` that a runner starts. */
  tests: string[]
  /**
   * The stub already passes the tests; the exercise asks for better code. So work that leaves the stub unchanged is not
   * wrong.
   */
  stubPasses?: boolean
}

/** The new content of a file of an exercise: a text, nothing, or a symbolic link. */
export type Edit = string | null | { link: string }
export type Edits = Record<string, Edit>

/** The only test file of most exercises, and the first of the others. */
export function mainTest({ tests, files }: Exercise): { path: string; text: string } {
  const [path = ''] = tests
  return { path, text: files[path] ?? '' }
}

export const eachTest = ({ tests, files }: Exercise, edit: (text: string, path: string) => Edit): Edits =>
  Object.fromEntries(tests.map((path) => [path, edit(files[path] ?? '', path)]))

/** The same for tests that are texts; null if none of them would change. */
export function changedTests(exercise: Exercise, edit: (text: string) => string): Edits | null {
  const edits = eachTest(exercise, (text) => edit(text))
  return exercise.tests.some((path) => edits[path] !== exercise.files[path]) ? edits : null
}
