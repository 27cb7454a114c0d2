import { testsOfChange, unreadTests, type TestsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import type { WorkChange } from '@beadloom/core/tamper/tamper.ts'
import { orStopped } from './aside-thread.ts'
import type { AsideThreads } from './aside-threads.ts'
import { SMALL_PATHS, SMALL_TESTS_BYTES, TESTS_DEARNESS } from './bounds.ts'

/** Compares the tests before and after a change. */
export async function testsAside(threads: AsideThreads, change: WorkChange): Promise<TestsOfChange> {
  const { files, all, paths, task = '' } = change
  const size = files.reduce((sum, { patch }) => sum + patch.length, task.length)
  if (size <= SMALL_TESTS_BYTES && files.length + (all?.length ?? 0) + (paths?.length ?? 0) <= SMALL_PATHS)
    return testsOfChange(change)
  const answer = await threads.inTurn((thread) => thread.ask({ do: 'tests', change }, size * TESTS_DEARNESS))
  if (answer !== null && 'weaker' in answer) return answer
  orStopped(answer, 'the tests of a change were read')
  return unreadTests
}
