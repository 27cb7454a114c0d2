import type { Files } from '../support/repository.ts'

export const languages = ['python', 'go', 'javascript', 'rust', 'java', 'cpp'] as const
export type Language = (typeof languages)[number]

export const setNames = ['polyglot', 'quixbugs'] as const
export type SetName = (typeof setNames)[number]

/** A task that people wrote, with tests and a solution that passes them. Paths are those within its folder. */
export type Exercise = {
  set: SetName
  language: Language
  /** Letters, digits and hyphens: the name of its folder. */
  name: string
  /** Everything but the solution: tests, settings, instructions. */
  files: Files
  /** What an agent starts from: the solution's files as they are wrong or unfinished. */
  stub: Files
  /** The solution's files as they pass. */
  reference: Files
  /** The files of `files` that a runner starts. */
  tests: string[]
  /** It asks for better code where what is there passes the tests: nothing that leaves it so is wrong. */
  stubPasses?: boolean
}

/** What one file of an exercise becomes: a text, nothing, or a symbolic link. */
export type Edit = string | null | { link: string }
export type Edits = Record<string, Edit>

/** The only test file of most exercises, and the first of the others. */
export function mainTest({ tests, files }: Exercise): { path: string; text: string } {
  const [path = ''] = tests
  return { path, text: files[path] ?? '' }
}

export const eachTest = ({ tests, files }: Exercise, edit: (text: string, path: string) => Edit): Edits =>
  Object.fromEntries(tests.map((path) => [path, edit(files[path] ?? '', path)]))

/** The same for tests that are texts; null where none of them would be another. */
export function changedTests(exercise: Exercise, edit: (text: string) => string): Edits | null {
  const edits = eachTest(exercise, (text) => edit(text))
  return exercise.tests.some((path) => edits[path] !== exercise.files[path]) ? edits : null
}
