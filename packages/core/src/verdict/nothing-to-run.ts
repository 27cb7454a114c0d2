import { goTest } from '../digest/tools/go/go-test.ts'
import type { Digest } from '../digest/compose.ts'

/** A command that chooses tests may have chosen none of those that exist. */
const CHOOSES = /(?:^|[\s=])--?(?:test\.)?(?:run|skip|list)(?=[\s=]|$)/

/**
 * Whether Go compiled the tests of a module and found nothing to run, as with only benchmarks, or examples without an
 * expected output. Such a module has nothing else; the output for one without test files differs.
 */
export const hasNothingToRun = (command: string, { tests, collected }: Pick<Digest, 'tests' | 'collected'>): boolean =>
  collected === 0 &&
  tests.every(({ tool }) => tool === goTest.name) &&
  goTest.command?.test(command) === true &&
  !CHOOSES.test(command)
