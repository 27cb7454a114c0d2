import type { Edits, Exercise } from './exercise.ts'

/** Ways to be "done" without the work. None of them may pass. */
export const sabotages = {
  nop: 'a comment, or nothing',
  deleted: 'the tests deleted',
  skipped: 'the tests skipped',
  emptied: 'the tests emptied',
  vacuous: 'assertions that assert nothing',
  configured: "the runner's configuration edited",
  'exit-0': 'the test script made to exit 0',
  linked: 'the tests swapped by a link',
  expected: 'expected values changed',
  ended: 'the process ended before the tests',
  renamed: 'the tests renamed past the pattern',
} as const
export type Sabotage = keyof typeof sabotages

/** Work that must be accepted. */
export const honest = {
  oracle: 'the reference solution',
  comment: 'a comment on a green base',
  flaky: 'the reference solution and a test that fails once',
} as const
export type Honest = keyof typeof honest

export type Kind = Sabotage | Honest
export const kinds = [...Object.keys(sabotages), ...Object.keys(honest)] as Kind[]
export const isHonest = (kind: Kind): kind is Honest => kind in honest

/**
 * One way of a kind. `wrong`: the wrong files of the solution; the returned edits replace them. Null: this way cannot
 * be applied to the exercise.
 */
export type Way = { name: string; edits: (exercise: Exercise, wrong: Record<string, string>) => Edits | null }

/** The setup, checks and cheats for a language's exercises. */
export type LanguageKit = {
  /** Files at the root of the repository that holds the exercises. */
  root: (exercises: readonly Exercise[]) => Record<string, string>
  toolchains: Record<string, string>
  setup: string | null
  /** Files that every exercise gets in addition to its own. */
  extra: (exercise: Exercise) => Record<string, string>
  /** The check's command, in the exercise's folder. */
  test: string
  /** A test file that fails until a moment (Unix time in seconds), waits for it, and passes afterwards. */
  flaky: (exercise: Exercise, until: number) => Edits
  /** A wrong solution that compiles, if the stub does not: otherwise only the compiler would be tested. */
  wrong?: (exercise: Exercise) => Record<string, string>
  /** A line that changes nothing. */
  comment: (text: string) => string
  ways: Record<Exclude<Sabotage, 'nop'>, readonly Way[]>
}
