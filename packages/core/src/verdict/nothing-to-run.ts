import { goTest } from '../digest/tools/go/go-test.ts'
import type { Digest } from '../digest/compose.ts'

/** A command that chooses among tests may have chosen none of those that are there. */
const CHOOSES = /(?:^|[\s=])--?(?:test\.)?(?:run|skip|list)(?=[\s=]|$)/

/**
 * Whether Go compiled the tests of a module and found nothing in them to run, as where there are benchmarks alone, or examples
 * that say no output. That is all that such a module has, and another one, of no such file, is told otherwise.
 */
export const hasNothingToRun = (command: string, { tests, collected }: Pick<Digest, 'tests' | 'collected'>): boolean =>
  collected === 0 &&
  tests.every(({ tool }) => tool === goTest.name) &&
  goTest.command?.test(command) === true &&
  !CHOOSES.test(command)
