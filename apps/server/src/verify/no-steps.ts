import { OWN_CHECKS } from '@beadloom/core/execution/next-step.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { beginSession } from '../sandbox/begin-session.ts'
import { ownCheck, type CommonOfRows } from './own-check.ts'

const NOT_CHECKED = 'nothing was checked: the project says "verify": []'

/** The places that are searched for a test suite's commands; the agent is told before and after. */
export const WHERE_TESTS_ARE =
  'a "test" script in package.json (npm test), a Makefile with the target "test" (make test), go.mod (go test ./...), Cargo.toml (cargo test), pom.xml (mvn test), CMakeLists.txt with enable_testing() (ctest), or pyproject.toml or requirements.txt (pytest)'

export const NO_TESTS = 'test suite'
export const lacksTests = ({ name, tool }: Pick<Verification, 'name' | 'tool'>): boolean =>
  name === NO_TESTS && tool === OWN_CHECKS

/** The one row of a verification that has no command to run. It belongs to the session of the work. */
export async function withoutSteps(
  live: LiveExecution,
  common: Omit<CommonOfRows, 'session'>,
  unverified: boolean,
): Promise<Verification[]> {
  const { deps, id } = live
  const session =
    deps.store.sessions(id).findLast(({ kind }) => kind !== 'setup' && kind !== 'service')?.id ??
    (await emptySession(live, common))
  const step = 1 + deps.store.verifications(id).filter((row) => row.session === session).length
  const row = { ...common, session, step }
  if (unverified) {
    await deps.store.flagExecution(id, { kind: 'unverified', text: NOT_CHECKED })
    return [{ ...ownCheck(live, { ...row, name: 'no checks', summary: NOT_CHECKED, digest: '' }), passed: true }]
  }
  return [
    ownCheck(live, {
      ...row,
      name: NO_TESTS,
      summary: 'there is no test suite',
      digest: `There is no test suite, so nothing can say whether the work is good. Create one that tests your change, and one of these, so that it is found on your commit: ${WHERE_TESTS_ARE}. It is run on a clean checkout of the commit.`,
    }),
  ]
}

/** Makes a session for the rows of an execution that had none. */
async function emptySession(live: LiveExecution, { attempt }: Pick<CommonOfRows, 'attempt'>): Promise<SessionId> {
  const session = await beginSession(live, 'verify', attempt)
  await live.deps.store.endSession(session, 'success', null, 'there was nothing to run')
  return session
}
